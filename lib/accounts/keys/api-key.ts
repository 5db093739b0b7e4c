import { crc32 } from 'node:zlib';

/**
 * API keys: `ctis_sk_live_…` (secret) and `ctis_wk_live_…` (publishable, widget routes only), of test accounts
 * `ctis_sk_test_…` and `ctis_wk_test_…`, then 30 random base62
 * characters and 6 of CRC-32, so that a mistyped key is refused without a look-up and scanners can recognise a leak.
 */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY_LENGTH = 30;
const CHECK_LENGTH = 6;
const KINDS = { secret: 'sk', publishable: 'wk' } as const;
const PREFIX_LENGTH = 'ctis_sk_live_'.length;
const SHAPE = /^ctis_[sw]k_(?:live|test)_[0-9A-Za-z]{36}$/;

/** Bytes of randomness to draw for one key: enough that rejection sampling practically never runs out. */
export const KEY_ENTROPY_BYTES = 64;

/** Makes a key from random bytes. Bytes of 248 and more are skipped, so every character is equally likely. */
export function makeKey(kind: keyof typeof KINDS, mode: 'live' | 'test', entropy: Uint8Array): string {
  const body = [...entropy]
    .filter((byte) => byte < 248)
    .slice(0, BODY_LENGTH)
    .map((byte) => ALPHABET[byte % 62])
    .join('');
  if (body.length < BODY_LENGTH) throw new Error('not enough entropy for a key');
  const start = `ctis_${KINDS[kind]}_${mode}_${body}`;
  return start + checksum(start);
}

/** True when prefix, length and checksum fit; says nothing of whether the key exists. */
export function isWellFormedKey(key: string): boolean {
  return SHAPE.test(key) && checksum(key.slice(0, -CHECK_LENGTH)) === key.slice(-CHECK_LENGTH);
}

/** The readable start of a key, safe to show in lists. */
export function keyPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH + 4);
}

function checksum(text: string): string {
  let remainder = crc32(text);
  let out = '';
  for (let place = 0; place < CHECK_LENGTH; place += 1) {
    out = ALPHABET.charAt(remainder % 62) + out;
    remainder = Math.floor(remainder / 62);
  }
  return out;
}
