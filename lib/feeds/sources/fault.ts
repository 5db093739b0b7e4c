import type { OutboundFailure } from '../../outside/outbound.ts';
import { FeedFault, type FeedFaultReason } from '../feed-faults.ts';

const WORDS = {
  url_refused: 'Files are not fetched from this URL',
  address_refused: 'The host leads to an address that is not public',
  dns_failed: 'The host name does not resolve',
  connection_failed: 'The server cannot be connected to, or broke off',
  certificate_refused: 'The server’s certificate is not valid',
  timeout: 'The server took too long',
  too_large: 'The file is too large',
  too_many_redirects: 'The URL leads from one place to the next',
  encoding_unreadable: 'The server compresses in a way that cannot be read',
} as const satisfies Partial<Record<FeedFaultReason, string>>;
/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE =
  /^(?:CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO_SELF|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/;

/** What the guard says, in the words of a feed. */
export function toFeedFault(failure: OutboundFailure): FeedFault {
  const { message, cause } = failure;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reason = CERTIFICATE.test(code) ? 'certificate_refused' : failure.reason;
  return new FeedFault(reason, `${WORDS[reason]} (${code || message}).`, { cause: failure });
}
