import type { DealerRow, RawTruck } from '../dealer-file.ts';
import { drawing, type Kind, type Look } from './drawing.ts';

/** Photos for the trucks of the demo: one for each kind of body in each colour. */

const KINDS: readonly [RegExp, Kind][] = [
  [/sleeper/, 'sleeper'],
  [/day ?cab/, 'day-cab'],
  [/mixer/, 'mixer'],
  [/fuel|water/, 'tank'],
  [/boom|crane/, 'boom'],
  [/dump|roll off|refuse|garbage|loader/, 'dump'],
  [/flat ?bed|stake|landscape|tow/, 'flatbed'],
  [/chassis/, 'chassis'],
  [/service|pick|crew|dually/, 'service'],
];

const PAINTS: Readonly<Record<string, string>> = {
  white: '#f4f4f1',
  black: '#26282b',
  blue: '#1f4f86',
  red: '#b3302a',
  silver: '#b9c0c5',
  gray: '#6f767c',
  green: '#2f6b4f',
  orange: '#d86a1c',
  yellow: '#e0a11b',
};

interface Photo {
  /** In its address. */
  name: string;
  look: Look;
}

/** The photo of a truck with that body in that colour. */
function choosePhoto(body: string, color: string): Photo {
  const kind = KINDS.find(([pattern]) => pattern.test(body.toLowerCase()))?.[1] ?? 'box';
  const named = color.trim().toLowerCase();
  return toPhoto(kind, named in PAINTS ? named : 'white');
}

function toPhoto(kind: Kind, color: string): Photo {
  const light = (color.length % 3) as Look['light'];
  return { name: `${kind}-${color}`, look: { kind, paint: PAINTS[color] ?? '#f4f4f1', light } };
}

export const toPhotoUrl = (url: string, body: string, color: string): string =>
  `${url}/demo/photos/${choosePhoto(body, color).name}.jpg`;

/** The file with the addresses of drawn photos in place of those of a photo server that does not exist. */
export function withPhotos(rows: readonly DealerRow[], url: string): DealerRow[] {
  return rows.map((row) => {
    const { body_type: body, bodyType, color, exterior_color: exterior } = row.record;
    const photo = toPhotoUrl(url, `${body ?? bodyType}`, `${color ?? exterior}`);
    const member = 'photos' in row.record ? 'photos' : 'images';
    const record: RawTruck = { ...row.record, [member]: [photo] };
    return { ...row, record };
  });
}

/** The trucks of the widget's preview in the docs, as SVG. */
export const drawPreview = (): Map<string, string> =>
  new Map(
    (['sleeper-blue', 'sleeper-red', 'day-cab-white', 'box-black', 'dump-yellow'] as const).map((name) => {
      const at = name.lastIndexOf('-');
      return [name, drawing(toPhoto(name.slice(0, at) as Kind, name.slice(at + 1)).look)];
    }),
  );

/**
 * Every photo, by name, and those of `others`. Drawn before the service starts: from its first image on, this process
 * reads no SVG any more.
 */
export async function drawPhotos(others: readonly Photo[]): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const { default: sharp } = await import('sharp');
  const kinds: readonly Kind[] = ['box', ...KINDS.map(([, kind]) => kind)];
  const all = kinds.flatMap((kind) => Object.keys(PAINTS).map((color) => toPhoto(kind, color)));
  const drawn = [...all, ...others].map(async ({ name, look }) => {
    const jpeg = await sharp(Buffer.from(drawing(look)))
      .jpeg({ quality: 84 })
      .toBuffer();
    return [name, new Uint8Array(jpeg)] as const;
  });
  return new Map(await Promise.all(drawn));
}
