import { toTable } from '../../truck/text/table.ts';
import { decideBody } from '../../truck/vocabulary/body-rank.ts';
import { joinParts, type QueryPart } from './query-parts.ts';
import type { Term } from './search-words.ts';

/** The bodies that a buyer's words stand for, where dealers' words say one. */

const ALSO = toTable({
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
const ANY_OF = toTable({
  van: ['cargo_van', 'passenger_van', 'step_van'],
  fourgon: ['cargo_van', 'box_truck', 'step_van'],
  furgon: ['cargo_van', 'box_truck', 'step_van'],
  grua: ['wrecker', 'rollback', 'crane', 'boom_truck'],
  plataforma: ['flatbed', 'stake_bed'],
});

/** Words that tell one kind of a body from another, in three languages: any of them is looked up in the listing as well. */
const KINDS = toTable({
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

const decide = ({ nouns }: QueryPart) => decideBody(nouns);

/**
 * Makes neighbouring nouns one body, of which the last decides. A tractor beside words that say which cab it has is those
 * words' body; what stands behind a `with` is equipment, and looked for by its words.
 */
export function joinBodies(parts: readonly QueryPart[]): QueryPart[] {
  const joined = joinParts(parts, [/^(?:body:\S+ )+/], (matchedParts) => ({
    nouns: matchedParts.flatMap(({ nouns }) => nouns),
  }));
  const bodyParts = joined.filter(({ kind }, index) => kind === 'body' && joined[index - 1]?.kind !== 'not');
  const hasCab = bodyParts.some((part) => /^(?:sleeper|day_cab)_tractor$/.test(decide(part) ?? ''));
  const isDecided = (part: QueryPart) => hasCab && decide(part) === 'tractor';
  const withAt = joined.find(({ kind }) => kind === 'with')?.at ?? Number.POSITIVE_INFINITY;
  const hasBodyBefore = bodyParts.some((part) => part.at < withAt && !isDecided(part));
  return joined.map((part) => {
    if (part.kind !== 'body') return part;
    if (hasBodyBefore && part.at > withAt) return { ...part, kind: 'word' };
    return { ...part, filters: { body_type: isDecided(part) ? [] : toBodies(part) } };
  });
}

/** All bodies that the words stand for. */
function toBodies(part: QueryPart) {
  const body = decide(part) ?? '';
  const bare = part.keys.length === 1 ? ANY_OF[part.keys[0] ?? ''] : undefined;
  const isTow = body === 'wrecker' && part.keys.some((word) => TOWING.test(word));
  return [...(bare ?? [body, ...(ALSO[body] ?? []), ...(isTow ? ['rollback'] : [])])];
}

/** Words that are looked for as well, by the word that was typed: all that it is written as elsewhere. */
export function findKinds(part: QueryPart): [word: string, term: Term][] {
  return (KINDS[decide(part) ?? ''] ?? []).flatMap((kind) => {
    const forms = kind.split(' ');
    const word = part.keys.findLast((each) => forms.includes(each));
    // Very short words are not the beginning of another: `tri` of trim, `mid` of midnight.
    return word === undefined ? [] : [[word, forms.map((text) => [{ text, prefix: text.length > 3 }])]];
  });
}
