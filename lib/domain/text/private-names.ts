import { remember } from './remember.ts';

/** Names of values that are no business of a buyer. */

const MAX_NAME = 300;

/** What a dealer pays is no business of a buyer: a column with one of these words in its name goes nowhere. */
const PRIVATE_WORDS = [
  ...(['cost', 'costs', 'invoice', 'wholesale', 'acv', 'pack', 'acquired', 'acquisition', 'recon'] as const),
  ...([
    'reconditioning',
    'lien',
    'lienholder',
    'payoff',
    'margin',
    'profit',
    'commission',
    'internal',
  ] as const),
  ...([
    'purchase',
    'purchased',
    'paid',
    'holdback',
    'curtailment',
    'auction',
    'appraisal',
    'appraised',
  ] as const),
  ...([
    'trade value',
    'trade in value',
    'black book',
    'blackbook',
    'mmr',
    'costo',
    'factura',
    'mayoreo',
  ] as const),
  ...(['coût', 'facture', 'spiff', 'dealer net', 'net cost', 'floor', 'floored'] as const),
  ...(['floorplan', 'floor plan', 'flooring', 'book value', 'bookvalue', 'reserve price'] as const),
  ...(['min price', 'minimum price', 'lowest price', 'bottom price', 'acq', 'whsl', 'whlsl'] as const),
  // People are no business of a buyer either.
  ...([
    'salesperson',
    'sales person',
    'salesman',
    'sales rep',
    'customer',
    'cust',
    'buyer',
    'sold to',
  ] as const),
] as const;

/** Words that say so also where they run together with others: `unitcost`, `dealerinvoiceamt`. */
const RUN_TOGETHER =
  /^cost|cost$|costs$|invoice|wholesale|floorplan|acquisition|acquired|holdback|ourcost|unitcost/;

/** True for a name of what a dealer paid. Judged word by word, since every system has a name of its own for what the dealer paid. */
export const isPrivateName = remember((name) => {
  const words = ` ${splitWords(name).join(' ')} `;
  return (
    PRIVATE_WORDS.some((word) => words.includes(` ${word} `)) || RUN_TOGETHER.test(words.replaceAll(' ', ''))
  );
});

/** `OurCost`, `our_cost` and `Our Cost ($)` are the same two words. */
function splitWords(name: string): string[] {
  return name
    .slice(0, MAX_NAME)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
}
