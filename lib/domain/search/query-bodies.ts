import { toTable } from '../text/table.ts';
import { toTokens } from '../text/tokens.ts';
import type { Body } from '../vocabulary/bodies.ts';
import { BODY_PHRASES, toBodyTokens } from '../vocabulary/body.ts';
import { decideBody } from '../vocabulary/body-rank.ts';
import type { Found } from '../vocabulary/phrases.ts';

/** Bodies that a buyer's word stands for where it is more than one. */
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
const KINDS: Readonly<Record<string, readonly (readonly string[])[]>> = toTable({
  tanker: [
    ['water', 'agua', 'eau', 'pipa'],
    ['fuel', 'combustible', 'carburant'],
    ['spray', 'sprayer'],
    ['lube'],
    ['propane', 'propano'],
    ['septic'],
    ['milk'],
    ['crude'],
    ['asphalt'],
    ['chemical'],
  ],
  dump: [
    ['tri', 'triaxle', 'tridem'],
    ['quad', 'quadaxle'],
  ],
  sleeper_tractor: [['mid', 'midroof'], ['raised']],
  bus: [['school', 'escolar', 'scolaire'], ['shuttle'], ['transit'], ['coach'], ['party']],
  refuse: [['side'], ['front'], ['rear'], ['recycl', 'recycling', 'recycle'], ['roll']],
});

export interface QueryBodies {
  bodies: string[];
  /** Words of the bodies that are looked for as well, as they were typed, with what they are written as elsewhere. */
  kinds: { word: string; alternatives: readonly string[] }[];
  typed: string[];
}

/**
 * Takes the bodies out of a query. Neighbouring nouns are read as one body, of which the last decides; what stands apart
 * or behind an "or" are alternatives; what stands behind "with" is equipment, whose words are left.
 */
export function takeBodies(texts: string[]): QueryBodies | null {
  const tokens = texts.map((text) => {
    const parts = toTokens(text);
    return (parts.length === 1 ? toBodyTokens(text) : parts).join('');
  });
  const named = findGroups(tokens);
  const groups = withoutEquipment(named, tokens);
  if (groups.length === 0) return null;
  const bodies = groups.flatMap((group) => alternatives(group, tokens));
  const kinds = new Map(
    groups.flatMap((group) => findKinds(group, tokens)).map((kind) => [kind.alternatives, kind]),
  );
  const typed: string[] = [];
  const taken = named.filter((group) => groups.includes(group) || isOfKnownCab(group, groups));
  for (const { at, count } of taken.flat().reverse()) typed.unshift(...texts.splice(at, count));
  return { bodies: [...new Set(bodies)], kinds: [...kinds.values()], typed };
}

type Group = Found<Body | null>[];

function findGroups(tokens: readonly string[]): Group[] {
  const groups: Group[] = [];
  for (let at = 0, end = -1; at < tokens.length; ) {
    const found = BODY_PHRASES.startingAt(tokens, at);
    if (found !== null && found.value !== null) {
      const last = groups.at(-1);
      if (last !== undefined && at === end) last.push(found);
      else groups.push([found]);
      end = at + found.count;
    }
    at += found?.count ?? 1;
  }
  return groups;
}

const WITH = new Set(['with', 'con', 'avec']);
const TRACTORS_BY_CAB = new Set(['sleeper_tractor', 'day_cab_tractor']);

/** A semi with a sleeper is a sleeper tractor; a flatbed with a crane is a flatbed. */
function withoutEquipment(groups: readonly Group[], tokens: readonly string[]): Group[] {
  const from = tokens.findIndex((token) => WITH.has(token));
  const isBehind = (group: Group) => from >= 0 && (group[0]?.at ?? 0) >= from;
  const named = groups.filter((group) => !isOfKnownCab(group, groups));
  return named.every(isBehind) ? [...named] : named.filter((group) => !isBehind(group));
}

/** A tractor beside words that say which cab it has. */
const isOfKnownCab = (group: Group, groups: readonly Group[]) =>
  decideBody(group) === 'tractor' && groups.some((other) => TRACTORS_BY_CAB.has(decideBody(other) ?? ''));

function alternatives(group: Group, tokens: readonly string[]): readonly string[] {
  const body = decideBody(group);
  if (body === null) return [];
  const [only, ...others] = group;
  const bare = others.length === 0 && only?.count === 1 ? ANY_OF[tokens[only.at] ?? ''] : undefined;
  if (bare !== undefined) return bare;
  const isTow = group.some(({ at }) => TOWING.test(tokens[at] ?? ''));
  return [body, ...(ALSO[body] ?? []), ...(body === 'wrecker' && isTow ? ['rollback'] : [])];
}

function findKinds(group: Group, tokens: readonly string[]): QueryBodies['kinds'] {
  const kinds = KINDS[decideBody(group) ?? ''] ?? [];
  const words = group.flatMap(({ at, count }) => tokens.slice(at, at + count));
  return words.flatMap((word) => {
    const alternatives = kinds.find((kind) => kind.includes(word));
    return alternatives === undefined ? [] : [{ word, alternatives }];
  });
}
