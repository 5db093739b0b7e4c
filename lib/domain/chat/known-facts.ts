import { toComparable } from './comparable-text.ts';
import { type Claim, readClaims } from './truck-claims.ts';

/** What tools returned, prepared once for checking sentences against it. */
export interface KnownFacts {
  /** Comparable, in lower case, one blank between words. */
  text: string;
  /** Tokens with digits, and numbers with what measures them: `dd15`, `12 speed`. */
  figures: ReadonlySet<string>;
}

type Figure = Extract<Claim, { kind: 'figure' }>;

/** Units that make a number a promise: it must stand in the facts with the same unit, however large it is. */
const BINDING = new Set(['%', 'day', 'week', 'month', 'year', 'hour', 'owner', 'truck']);
/** Smaller numbers stand everywhere and are known only with their unit. */
const MIN_PLAIN = 100;

export function knownFacts(...sources: string[]): KnownFacts {
  const figures = new Set<string>();
  const texts: string[] = [];
  for (const source of sources) {
    const text = (toComparable(source) ?? '')
      .toLowerCase()
      .replace(/["{}[\]_:-]+/g, ' ')
      .replace(/ {2,}/g, ' ');
    texts.push(text);
    for (const claim of readClaims(text, [])) {
      if (claim.kind === 'price' || claim.kind === 'miles') continue;
      if (claim.kind === 'figure') for (const key of keysFor(claim)) figures.add(key);
      else if (claim.kind === 'year') figures.add(String(claim.value));
    }
  }
  return { text: texts.join(' | '), figures };
}

export function mergeFacts(all: readonly KnownFacts[]): KnownFacts {
  return {
    text: all.map(({ text }) => text).join(' | '),
    figures: new Set(all.flatMap(({ figures }) => [...figures])),
  };
}

/** True when the facts state this number; `trucks` may be counted too. */
export function isStated(claim: Figure, facts: KnownFacts, trucks: number): boolean {
  if (claim.units.includes('truck') && claim.value >= 1 && claim.value <= trucks) return true;
  return keysFor(claim).some((key) => facts.figures.has(key));
}

function keysFor({ text, value, units }: Figure): string[] {
  if (Number.isNaN(value)) return [text.toLowerCase()];
  const binding = units.filter((unit) => BINDING.has(unit));
  const measured = (binding.length > 0 ? binding : units).map((unit) => `${value} ${unit}`);
  return value >= MIN_PLAIN && binding.length === 0 ? [...measured, String(value)] : measured;
}
