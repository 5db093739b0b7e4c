import type { OutboundFailure } from '../../outside/outbound.ts';
import { FeedFault } from '../feed-faults.ts';

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE =
  /^(?:CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO_SELF|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/;

/** What the guard says, as a fault of a feed. */
export function toFeedFault(failure: OutboundFailure) {
  const code = String(Object(failure.cause).code ?? '');
  const reason = CERTIFICATE.test(code) ? 'certificate_refused' : failure.reason;
  return new FeedFault(reason, `The file cannot be fetched (${code || failure.message}).`, {
    cause: failure,
  });
}
