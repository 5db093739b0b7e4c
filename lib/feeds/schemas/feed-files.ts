/** How dealers' files come and what they are made of. */

export const FEED_PROTOCOLS = ['https', 'sftp'] as const;
export type FeedProtocol = (typeof FEED_PROTOCOLS)[number];

/** `pipe`: values separated by `|`. `xlsx`: the first sheet of an Excel workbook. Compression is recognised beside the format. */
export const FEED_FORMATS = ['csv', 'tsv', 'pipe', 'json', 'ndjson', 'xml', 'xlsx'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];

export const FEED_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type FeedEncoding = (typeof FEED_ENCODINGS)[number];
