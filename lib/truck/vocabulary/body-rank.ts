import { toTable } from '../text/table.ts';
import { BODIES, type Body } from './bodies.ts';
import type { PhraseMatch } from './phrases.ts';

/** Chooses the most specific of several bodies. */

/** Vehicles that carry a body: any other noun in the text decides. */
export const WEAK = new Set([
  'cab_chassis',
  'cutaway',
  'stripped_chassis',
  'motorhome_chassis',
  'pickup',
  'cargo_van',
  'passenger_van',
  'other',
]);
/** Kinds of tractors whose names may also describe the cab of another truck. */
export const TRACTOR_CABS: Readonly<Record<string, string>> = toTable({
  sleeper_tractor: 'Sleeper',
  day_cab_tractor: 'Day cab',
});
/** Bodies that give way to a more special one of these families. */
const GIVES_WAY: Readonly<Record<string, readonly string[]>> = toTable({
  box_truck: ['van'],
  tanker: ['tank', 'vacuum'],
  flatbed: ['platform', 'tow'],
  wrecker: ['tow'],
  service_body: ['vacuum'],
  // Farm spreaders are more specific.
  plow_spreader: ['farm'],
});

/** Returns the body of the noun that decides in a text. */
export function decideBody(nouns: readonly PhraseMatch<Body | null>[]): string | null {
  const bodies = nouns.flatMap(({ value }) => value ?? []);
  const isTractor = ({ name }: Body) => name === 'tractor' || name in TRACTOR_CABS;
  const strong = bodies.filter((body) => !WEAK.has(body.name) && !isTractor(body));
  const last = strong.at(-1);
  if (last !== undefined) {
    const families = GIVES_WAY[last.name] ?? [];
    const special = strong.findLast(({ name, family }) => !(name in GIVES_WAY) && families.includes(family));
    return (special ?? last).name;
  }
  const weak = bodies.findLast(({ name }) => WEAK.has(name));
  const tractors = bodies.filter(isTractor);
  if (weak !== undefined && !tractors.some(({ name }) => name === 'tractor')) return weak.name;
  return (tractors.findLast(({ name }) => name in TRACTOR_CABS) ?? tractors.at(-1) ?? weak)?.name ?? null;
}

/** True if `body` of a later text is more specific than `other` of an earlier one, as a service body is than a cab chassis. */
export function isMoreSpecific(body: string, other: string): boolean {
  const [later, earlier] = [BODIES.get(body), BODIES.get(other)];
  if (later === undefined || earlier === undefined || later === earlier) return false;
  if (earlier.family === 'tractor' && later.family !== 'tractor') return false;
  return decideBody([later, earlier].map((value, at) => ({ value, at, count: 1 }))) === body;
}
