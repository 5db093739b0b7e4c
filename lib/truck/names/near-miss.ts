import { editDistance } from './edit-distance.ts';

/** A member that a typing slip made unknown, and the one that was meant. */
export interface NearMiss {
  sent: string;
  meant: string;
}

/** Names this short have honest neighbours (`fax` is no slip of `tax`). */
const MIN_SLIP_LENGTH = 4;
const MIN_TWO_SLIPS_LENGTH = 8;
const MAX_SLIPS = 2;
/** A budget: what is beyond it is left alone. */
const MAX_MEMBERS = 100;
const MAX_NAME_LENGTH = 80;

/**
 * The first member whose name is a known one in another spelling (camelCase, hyphens, capitals) or within a slip or two
 * of it. Not where the known member is sent too: nothing is lost then.
 */
export function findNearMiss(body: object, known: readonly string[]): NearMiss | null {
  const absent = known.filter((name) => !Object.hasOwn(body, name));
  for (const sent of Object.keys(body).slice(0, MAX_MEMBERS)) {
    if (known.includes(sent)) continue;
    const meant = absent.find((name) => isNearMiss(sent, name));
    if (meant !== undefined) return { sent, meant };
  }
  return null;
}

const normalise = (name: string) => name.toLowerCase().replaceAll(/[_\s-]/g, '');

/** Slips hardly ever hit the first letter, and a digit at the end numbers another field (`phone2`). */
function isNearMiss(sent: string, name: string): boolean {
  if (sent.length > MAX_NAME_LENGTH) return false;
  const [left, right] = [normalise(sent), normalise(name)];
  if (left === right) return true;
  if (right.length < MIN_SLIP_LENGTH || left[0] !== right[0]) return false;
  if (/\d$/.test(left) && left.at(-1) !== right.at(-1)) return false;
  const slips = right.length < MIN_TWO_SLIPS_LENGTH ? 1 : MAX_SLIPS;
  return editDistance(left, right, slips) <= slips;
}
