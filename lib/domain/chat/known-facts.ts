import { toComparable, toWords } from './comparable-text.ts';
import { type Claim, readClaims } from './truck-claims.ts';

/** What tools returned, prepared once for checking sentences against it. */
export interface KnownFacts {
  /** Words of fields with a value of a few words: `white`, `detroit`. */
  terms: ReadonlySet<string>;
  /** What the dealer wrote, phrase by phrase, as `toWords` writes it: it may be repeated, not taken apart. */
  quotes: readonly string[];
  /** Tokens with digits, and numbers with what measures them: `dd15`, `12 speed`. */
  figures: ReadonlySet<string>;
}

/** What the tools returned about a truck. */
export interface KnownTruck {
  vin: string;
  year: number | null;
  make: string | null;
  model: string | null;
  price: number | null;
  mileage: number | null;
  facts: KnownFacts;
}

type Figure = Extract<Claim, { kind: 'figure' }>;

/** Units that make a number a promise: it must stand in the facts with the same unit, however large it is. */
const BINDING = new Set(['%', 'day', 'week', 'month', 'year', 'hour', 'owner', 'truck']);
/** Smaller numbers stand everywhere and are known only with their unit. */
const MIN_PLAIN = 100;

/** Fields of a listing that a dealer writes freely. */
const FREE_TEXT = new Set(['features', 'dealer_text']);
/** Values of more words are sentences. */
const MAX_TERMS = 4;

/** What a tool returned of one truck, by field. */
export function listingFacts(fields: Readonly<Record<string, unknown>>): KnownFacts {
  const all = Object.entries(fields).map(([name, value]) => {
    const written = Array.isArray(value) ? value.join('. ') : String(value ?? '');
    const quoted = knownFacts(written);
    const { figures } = knownFacts(`${name}: ${written}`);
    const words = toWords(toComparable(written).replaceAll('_', ' ')).trim().split(' ');
    if (FREE_TEXT.has(name) || words.length > MAX_TERMS) return { ...quoted, figures };
    return { terms: new Set(words), quotes: [], figures };
  });
  return mergeFacts(all);
}

/** What somebody wrote: figures, and phrases to repeat. */
export function knownFacts(...sources: string[]): KnownFacts {
  const figures = new Set<string>();
  const quotes: string[] = [];
  for (const source of sources) {
    const text = toComparable(source);
    for (const phrase of text.split(/[.,;:!?()|\n]+/)) {
      const words = toWords(phrase).replace(/(?<= )\S*\d\S* /g, '');
      if (words.trim() !== '') quotes.push(words);
    }
    const plain = text
      .toLowerCase()
      .replace(/["{}[\]_:-]+/g, ' ')
      .replace(/ {2,}/g, ' ');
    for (const claim of readClaims(plain, []).claims) {
      if (claim.kind === 'price' || claim.kind === 'miles') continue;
      if (claim.kind === 'figure') for (const key of keysFor(claim)) figures.add(key);
      else if (claim.kind === 'year') figures.add(String(claim.value));
    }
  }
  return { terms: new Set(), quotes: quotes.sort((a, b) => b.length - a.length), figures };
}

export function mergeFacts(all: readonly KnownFacts[]): KnownFacts {
  return {
    terms: new Set(all.flatMap(({ terms }) => [...terms])),
    quotes: all.flatMap(({ quotes }) => quotes),
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
