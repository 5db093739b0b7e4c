import { toTable } from '../text/table.ts';
import { toTokens } from '../text/tokens.ts';
import type { Body } from '../vocabulary/bodies.ts';
import { BODY_PHRASES, decideBody, toBodyTokens } from '../vocabulary/body.ts';
import type { Found } from '../vocabulary/phrases.ts';

/** Bodies that a buyer's word stands for where it is more than one. */
const ALSO: Readonly<Record<string, readonly string[]>> = toTable({
  tractor: ['sleeper_tractor', 'day_cab_tractor'],
  vacuum: ['hydro_excavator'],
  crane: ['boom_truck'],
  boom_truck: ['crane'],
  grain: ['feed'],
});
/** Words for trucks that tow, in whichever way. */
const TOWING = /^(?:tow|grua|depanneuse|remorqueuse)/;
/** What a van may be, unless the buyer says which. */
const ANY_VAN = ['cargo_van', 'passenger_van', 'step_van'];

/** Words that tell one kind of a body from another; they are looked up in the listing as well, in English. */
const KINDS: Readonly<Record<string, Readonly<Record<string, string>>>> = toTable({
  tanker: {
    ...{
      water: 'water',
      fuel: 'fuel',
      lube: 'lube',
      propane: 'propane',
      septic: 'septic',
      milk: 'milk',
      crude: 'crude',
    },
    ...{
      agua: 'water',
      pipa: 'water',
      eau: 'water',
      asphalt: 'asphalt',
      spray: 'spray',
      sprayer: 'spray',
      chemical: 'chemical',
    },
  },
  bus: {
    school: 'school',
    shuttle: 'shuttle',
    transit: 'transit',
    coach: 'coach',
    escolar: 'school',
    party: 'party',
  },
  refuse: {
    side: 'side',
    front: 'front',
    rear: 'rear',
    recycling: 'recycl',
    recycle: 'recycl',
    roll: 'roll',
  },
});

export interface QueryBodies {
  bodies: string[];
  /** Words of the bodies that are looked for as well. */
  words: string[];
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
  const groups = withoutEquipment(findGroups(tokens), tokens);
  if (groups.length === 0) return null;
  const bodies = groups.flatMap((group) => alternatives(group, tokens));
  const kinds = groups.flatMap((group) => kindWords(group, tokens));
  for (const { at, count } of groups.flat().reverse()) texts.splice(at, count);
  return { bodies: [...new Set(bodies)], words: kinds };
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
  const byCab = groups.some((group) => TRACTORS_BY_CAB.has(decideBody(group) ?? ''));
  const named = byCab ? groups.filter((group) => decideBody(group) !== 'tractor') : groups;
  return named.every(isBehind) ? [...named] : named.filter((group) => !isBehind(group));
}

function alternatives(group: Group, tokens: readonly string[]): string[] {
  const body = decideBody(group);
  if (body === null) return [];
  const [only, ...others] = group;
  const isBareVan = others.length === 0 && only?.count === 1 && tokens[only.at] === 'van';
  if (isBareVan) return ANY_VAN;
  const isTow = group.some(({ at }) => TOWING.test(tokens[at] ?? ''));
  return [body, ...(ALSO[body] ?? []), ...(body === 'wrecker' && isTow ? ['rollback'] : [])];
}

function kindWords(group: Group, tokens: readonly string[]): string[] {
  const kinds = KINDS[decideBody(group) ?? ''] ?? {};
  const words = group.flatMap(({ at, count }) => tokens.slice(at, at + count));
  return words.flatMap((word) => kinds[word] ?? []);
}
