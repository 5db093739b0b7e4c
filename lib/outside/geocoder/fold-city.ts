import { toNormalForm } from '../../truck/text/text.ts';

/** Words that post offices and people shorten; both sides of a comparison are written out. */
const WORDS = new Map([
  ['ST', 'SAINT'],
  ['STE', 'SAINTE'],
  ['FT', 'FORT'],
  ['MT', 'MOUNT'],
  ['PT', 'POINT'],
  ['HTS', 'HEIGHTS'],
  ['HGTS', 'HEIGHTS'],
  ['SPGS', 'SPRINGS'],
  ['SPG', 'SPRING'],
  ['BCH', 'BEACH'],
  ['CTY', 'CITY'],
  ['JCT', 'JUNCTION'],
  ['PK', 'PARK'],
  ['VLY', 'VALLEY'],
  ['TWP', 'TOWNSHIP'],
  ['VLG', 'VILLAGE'],
  ['N', 'NORTH'],
  ['S', 'SOUTH'],
  ['E', 'EAST'],
  ['W', 'WEST'],
  ['CD', 'CIUDAD'],
  ['STA', 'SANTA'],
  ['STO', 'SANTO'],
  ['PHILA', 'PHILADELPHIA'],
  ['INDPLS', 'INDIANAPOLIS'],
  ['MPLS', 'MINNEAPOLIS'],
  ['OKC', 'OKLAHOMACITY'],
  ['SLC', 'SALTLAKECITY'],
]);

/** The letters and digits a city's name is compared by: `St. Louis` and `SAINT LOUIS` are one. */
export function foldCity(name: string): string {
  const plain = toNormalForm(name, 'NFKD')
    .toUpperCase()
    .replace(/['’`\p{M}]/gu, '');
  let folded = '';
  for (const word of plain.split(/[^\p{L}\p{N}]+/u)) folded += WORDS.get(word) ?? word;
  return folded;
}
