import type { DatabaseSync } from 'node:sqlite';

/**
 * World manufacturer identifiers that vPIC has under one type that is no truck, of three characters: the longer ones are
 * of makers of a few vehicles a year. SUVs only of makers that build no trucks, buses or motorhomes as well.
 */
const KINDS: readonly (readonly [kind: string, type: string])[] = [
  ['trailer', 'Trailer'],
  ['motorcycle', 'Motorcycle'],
  ['low speed vehicle', 'Low Speed Vehicle (LSV)'],
  ['off road vehicle', 'Off Road Vehicle'],
  ['passenger car', 'Passenger Car'],
  ['SUV or minivan', 'Multipurpose Passenger Vehicle (MPV)'],
];
const OTHER_BUILDERS =
  /Freightliner|Sprinter|Blue Bird|Orion|Winnebago|AM General|Hummer|Production Group|BREMACH|Mahindra|Specialty|Ford|Chevrolet|GMC|Ram|Dodge|Mercedes/;
const MAX_LINE_LENGTH = 118;

export function writeIdentifiers(database: DatabaseSync): string {
  const rows = database
    .prepare(
      `select w.Wmi as wmi, t.Name as type, coalesce((select group_concat(k.Name, '|') from Wmi_Make m
        join Make k on k.Id = m.MakeId where m.WmiId = w.Id), '') as makes
      from Wmi w join VehicleType t on t.Id = w.VehicleTypeId where length(w.Wmi) = 3 order by w.Wmi`,
    )
    .all();
  const blocks = KINDS.map(([kind, type]) => {
    const identifiers = rows.filter((row) => row.type === type && !OTHER_BUILDERS.test(String(row.makes)));
    return `  [\n    '${kind}',\n    \`\n${toLines(identifiers.map(({ wmi }) => String(wmi)))}\n\`,\n  ],`;
  });
  return `/** What vPIC knows world manufacturer identifiers for that build no trucks; made by \`node scripts/build-vpic/main.ts\`. */
export const IDENTIFIERS: readonly (readonly [kind: string, identifiers: string])[] = [
${blocks.join('\n')}
];
`;
}

function toLines(words: readonly string[]): string {
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length >= MAX_LINE_LENGTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
