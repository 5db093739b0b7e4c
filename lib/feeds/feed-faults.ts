/** What may be wrong with a feed's file. */

/** Why a feed's file could not be taken or read, and what the dealer can do. */
export const FEED_FAULTS = {
  url_refused:
    'Use an https:// or sftp:// URL of a public host on its standard port, without credentials in the URL.',
  address_refused:
    'Use a host that is reachable from the public internet; private addresses are not fetched from.',
  dns_failed: 'Check the host name of the URL.',
  connection_failed: 'Check that the server is up and lets connections from the internet in.',
  certificate_refused:
    'Give the server a certificate for its name, signed by a public authority, with the whole chain.',
  timeout: 'Make the file smaller (gzip it) or the server faster.',
  too_many_redirects: 'Use the URL at which the file really is.',
  too_large: 'Compress the file, or split the stock over several feeds.',
  http_status: 'Let the URL answer 200 with the file.',
  not_found: 'Check the path of the URL; nothing is there.',
  auth_failed: 'Check username and password, or the private key, and that this user may read the file.',
  host_key_unknown:
    'Compare the fingerprint with the one your SFTP server has, then set it as host_key_sha256.',
  host_key_changed:
    'Ask whoever runs the SFTP server whether its key was changed on purpose; only then set host_key_sha256 to the new fingerprint.',
  private_key_unreadable:
    'Send the private key as OpenSSH or PEM text; if it has a passphrase, send that as password.',
  file_changing: 'Write the file under another name and rename it when it is complete.',
  encoding_unreadable: 'Send the file without Content-Encoding, or with gzip.',
  file_truncated: 'The file ends too early: write it under another name and rename it when it is complete.',
  file_damaged: 'Make the file anew; its compression cannot be undone.',
  zip_bomb: 'Send a file that does not grow so much when decompressed.',
  zip_unusable: 'Put one data file, without a password, into the zip archive.',
  web_page: 'The URL answers a web page, perhaps a login; use the URL of the file itself.',
  format_unknown:
    'Send CSV, TSV, pipe-separated values, an Excel workbook (.xlsx), JSON, NDJSON or XML, or name the format.',
  format_unreadable: 'Correct the file at the place named, or name its true format.',
  json_too_large: 'Send it as NDJSON, one object a line, or as CSV; both may be larger.',
  dtd_refused: 'Leave the document type with its entities out of the XML.',
  too_many_columns:
    'Send at most 1,000 columns; check that the first row is the header and which character separates it.',
  too_many_rows: 'Split the stock over several feeds, 5 million rows in each.',
  nested_too_deep: 'Leave out what is more than 32 levels below the root.',
  stale:
    'Offer the newest file, or correct the time that the server gives it (Last-Modified, or the modification time).',
  secret_unreadable: 'Set the password or private key of the feed again.',
  file_lost: 'Contact support with the id of the run.',
  upload_gone: 'Upload the file again.',
  no_trucks:
    'If all trucks are gone, release the run. If the file is wrong, refuse the run and correct the file.',
  many_missing:
    'If these trucks are gone, release the run. If the file is wrong, refuse the run and correct the file.',
  given_up:
    'Split the file, or leave out what is unusual at that place; contact support with the id of the run.',
  internal: 'Nothing to do: the feed is tried again. If it persists, contact support with the id of the run.',
  reader_timeout: 'Send a smaller or simpler file; rows should follow each other from the beginning.',
  reader_out_of_memory: 'Send rows with fewer and shorter values, or split the file.',
  reader_crashed: 'Send the file in another format, such as CSV, and contact support with the id of the run.',
} as const;

export type FeedFaultReason = keyof typeof FEED_FAULTS;

/** The dealer's file could not be fetched or read. `message` may be shown to the dealer; it names no secret. */
export class FeedFault extends Error {
  override name = 'FeedFault';
  readonly reason: FeedFaultReason;

  constructor(reason: FeedFaultReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  get fix() {
    return FEED_FAULTS[this.reason];
  }
}

/** As it is stored with a run and answered. */
export const toFeedError = ({ reason, message, fix }: FeedFault) => ({ reason, message, fix });

/** What is wrong with one row of a file; the rows around it go on. */
export const FEED_ROW_FAULTS = {
  ROW_TOO_LARGE: 'Keep a row under 4 million characters and 2,000 values.',
  ROW_RAGGED:
    'Put values that contain the separator into double quotes, so that the row has as many as the header.',
  ROW_UNREADABLE: 'Correct the row so that it can be read on its own.',
} as const;

export type FeedRowFaultCode = keyof typeof FEED_ROW_FAULTS;
