import { remember } from './remember.ts';
import { toList } from './table.ts';
import { plainText } from './tokens.ts';

/** Names of values that are no business of a buyer. */

const MAX_NAME = 200;

/** What a dealer pays is no business of a buyer: a column with one of these words in its name goes nowhere. */
const PRIVATE_WORDS = toList(`
  cost, costs, invoice, wholesale, whsl, whlsl, acv, actual cash value, pack, acq, acquired, acquisition, landed, bought,
  purch, purchase, purchased, paid, recon, reconditioning, holdback, curtailment, payoff, lien, lienholder,
  floor, floored, flooring, floorplan, floor plan, margin, markup, mark up, profit, commission, spiff, front gross, back gross,
  auction, appraisal, appraised, trade value, trade in value, trade allowance, dealer net, net cost,
  book value, bookvalue, black book, blackbook, mmr, nada, manheim, kbb, inventory value, inventory amount,
  reserve price, min price, minimum price, lowest price, bottom price,
  costo, factura, mayoreo, compra, ganancia, ganancias, utilidad, margen,
  cout, coutant, facture, achat, prix de gros, marge,
  internal, private, manager notes, manager comments
`);
/** People are no business of a buyer either. */
const PEOPLE = toList(`
  salesperson, sales person, salesman, slsman, slsmn, sales rep, customer, cust, buyer, sold to, consignor, consigner,
  owner name, owner phone, owner email, seller name, seller phone, seller email
`);
/** Words that say so also where they run together with others: `unitcost`, `dealerinvoiceamt`. */
const RUN_TOGETHER =
  /^cost|cost$|costs$|invoice|wholesale|floorplan|acquisition|acquired|holdback|ourcost|unitcost|^purch|^slsmn|^gross$|^reserve$/;
/** What the dealer paid, as systems cut it short: `INV-AMT`, `WhsPrice`, `FPBal`, `Dlr Net`. */
const SHORT_COST =
  /(?:inv|^ws|^whs|^whse|^fp|^gl|^book|^purch)(?:amt|amount|prc|price|val|value|bal|balance)$|^(?:dlr|dealer)(?:inv|net)(?:amt|amount|prc|price)?$/;

/** True for a name of what a dealer paid. Judged word by word, since every system has a name of its own for what the dealer paid. */
export const isPrivateName = remember((name) => {
  const split = splitWords(name);
  const words = ` ${split.join(' ')} `;
  const together = split.join('');
  return (
    [...PRIVATE_WORDS, ...PEOPLE].some((word) => words.includes(` ${word} `)) ||
    RUN_TOGETHER.test(together) ||
    SHORT_COST.test(together)
  );
});

/** `OurCost`, `our_cost` and `Our Cost ($)` are the same two words, and accents make no other. */
function splitWords(name: string): string[] {
  const parted = name.slice(0, MAX_NAME).replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2');
  return plainText(parted)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
