import { plainText } from '../text/tokens.ts';

/** What stands behind `New`, `Nuevo` or `Nueva` in names of places: there they say nothing of a truck's condition. */
const BEHIND_NEW: ReadonlySet<string> = new Set(
  [
    'laredo leon casas guerrero progreso ideal padilla italia rosita vallarta',
    'york jersey mexico hampshire orleans braunfels haven london bedford brunswick castle albany rochelle',
    'philadelphia westminster glasgow boston iberia britain kensington lenox waverly smyrna hamburg hope paltz',
    'windsor bern richmond carlisle caney market lisbon milford berlin prague ulm port hartford tecumseth',
  ].flatMap((line) => line.split(' ')),
);

export const isPlaceNamedNew = (word: string, next: string | undefined): boolean =>
  /^(?:new|nuev[oa])$/i.test(word) && next !== undefined && BEHIND_NEW.has(plainText(next));
