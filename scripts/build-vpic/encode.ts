import { MAGIC, TEXTS, type Vpic } from '../../lib/pipeline/vin-decoder/vpic-file.ts';

/** The uncompressed file of an extract. */
export function encodeVpic(vpic: Vpic): Uint8Array {
  const texts = TEXTS.map((name) => new TextEncoder().encode(vpic[name].join('\n')));
  const counts = [
    MAGIC,
    vpic.vintage,
    vpic.schemaStarts.length,
    vpic.wmiStarts.length,
    vpic.factKeys.length,
    vpic.useSchemas.length,
    ...texts.map(({ length }) => length),
  ];
  const columns: ArrayBufferView[] = [
    Uint32Array.from(counts),
    vpic.schemaStarts,
    vpic.wmiStarts,
    vpic.factKeys,
    vpic.factValues,
    vpic.useSchemas,
    vpic.useFrom,
    vpic.useTo,
    ...texts,
  ];
  const file = new Uint8Array(columns.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const { buffer, byteOffset, byteLength } of columns) {
    file.set(new Uint8Array(buffer, byteOffset, byteLength), offset);
    offset += byteLength;
  }
  return file;
}
