import { toTable } from '../text/table.ts';
import { decideBody } from '../vocabulary/body-rank.ts';
import type { QueryPart } from './query-parts.ts';
import type { Term } from './search-words.ts';

/** The bodies that a buyer's words stand for, where dealers' words say one. */

const ALSO: Readonly<Record<string, readonly string[]>> = toTable({
  tractor: ['sleeper_tractor', 'day_cab_tractor'],
  vacuum: ['hydro_excavator', 'jetter'],
  crane: ['boom_truck'],
  boom_truck: ['crane'],
  grain: ['feed'],
  logging: ['grapple'],
});
/** Words for trucks that tow, in whichever way. */
const TOWING = /^(?:tow|grua|depanneuse|remorqueuse)/;
/** What a word alone may be: a van in French and Spanish a box as well, a `grúa` what tows or what lifts. */
const ANY_OF: Readonly<Record<string, readonly string[]>> = toTable({
  van: ['cargo_van', 'passenger_van', 'step_van'],
  fourgon: ['cargo_van', 'box_truck', 'step_van'],
  furgon: ['cargo_van', 'box_truck', 'step_van'],
  grua: ['wrecker', 'rollback', 'crane', 'boom_truck'],
  plataforma: ['flatbed', 'stake_bed'],
});

/** Words that tell one kind of a body from another, in three languages: any of them is looked up in the listing as well. */
const KINDS: Readonly<Record<string, readonly string[]>> = toTable({
  tanker: [
    'water agua eau pipa',
    'fuel combustible carburant',
    'spray sprayer',
    'lube',
    'propane propano',
    'septic',
    'milk',
    'crude',
    'asphalt',
    'chemical',
  ],
  dump: ['tri triaxle tridem', 'quad quadaxle'],
  sleeper_tractor: ['mid midroof', 'raised'],
  bus: ['school escolar scolaire', 'shuttle', 'transit', 'coach', 'party'],
  refuse: ['side', 'front', 'rear', 'recycl recycling recycle', 'roll'],
});

const TRACTORS_BY_CAB = new Set(['sleeper_tractor', 'day_cab_tractor']);

type Group = readonly QueryPart[];

const decide = (group: Group) =>
  decideBody(group.map(({ body = null, at, end }) => ({ value: body, at, count: end - at })));

/**
 * The bodies of a query: neighbouring nouns are one, of which the last decides. A tractor beside words that say which cab
 * it has is those words' body, and what stands behind a `with` is equipment where a body stands before it.
 */
export function groupBodies(parts: readonly QueryPart[], withAt = Number.POSITIVE_INFINITY): Group[] {
  const groups: QueryPart[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last?.at(-1)?.end === part.at) last.push(part);
    else groups.push([part]);
  }
  const hasCab = groups.some((group) => TRACTORS_BY_CAB.has(decide(group) ?? ''));
  const named = groups.filter((group) => !(hasCab && decide(group) === 'tractor'));
  const before = named.filter((group) => group.every(({ at }) => at < withAt));
  return before.length > 0 ? before : named;
}

/** All bodies that a group stands for. */
export function toBodies(group: Group): readonly string[] {
  const body = decide(group);
  if (body === null) return [];
  const words = group.flatMap(({ keys }) => keys);
  const bare = words.length === 1 ? ANY_OF[words[0] ?? ''] : undefined;
  const isTow = body === 'wrecker' && words.some((word) => TOWING.test(word));
  return bare ?? [body, ...(ALSO[body] ?? []), ...(isTow ? ['rollback'] : [])];
}

/** Words that are looked for as well, by the word that was typed: all that it is written as elsewhere. */
export function findKinds(group: Group): [word: string, term: Term][] {
  const words = group.flatMap(({ keys }) => keys);
  return (KINDS[decide(group) ?? ''] ?? []).flatMap((kind) => {
    const forms = kind.split(' ');
    const word = words.findLast((each) => forms.includes(each));
    // Very short words are not the beginning of another: `tri` of trim, `mid` of midnight.
    return word === undefined ? [] : [[word, forms.map((text) => [{ text, prefix: text.length > 3 }])]];
  });
}
