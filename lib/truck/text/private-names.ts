import { remember } from './remember.ts';
import { toList } from './table.ts';
import { plainText } from './tokens.ts';

/** Names of values that buyers must not see. */

const MAX_NAME = 200;

/** Words for what the dealer paid: a column with one of them in its name is discarded. */
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
/** Words for people, whose columns are discarded too. */
const PEOPLE = toList(`
  salesperson, sales person, salesman, slsman, slsmn, sales rep, customer, cust, buyer, sold to, consignor, consigner,
  owner name, owner phone, owner email, seller name, seller phone, seller email
`);
/** Words that count also inside a longer word: `unitcost`, `dealerinvoiceamt`. */
const RUN_TOGETHER =
  /^cost|cost$|costs$|invoice|wholesale|floorplan|acquisition|acquired|holdback|ourcost|unitcost|^purch|^slsmn|^gross$|^reserve$/;
/** Abbreviations for what the dealer paid: `INV-AMT`, `WhsPrice`, `FPBal`, `Dlr Net`. */
const SHORT_COST =
  /(?:inv|^ws|^whs|^whse|^fp|^gl|^book|^purch)(?:amt|amount|prc|price|val|value|bal|balance)$|^(?:dlr|dealer)(?:inv|net)(?:amt|amount|prc|price)?$/;

/** True for a private name. Names are compared word by word, because every system has its own. */
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

/** Splits `OurCost`, `our_cost` and `Our Cost ($)` into the same two words, without accents. */
function splitWords(name: string): string[] {
  const parted = name.slice(0, MAX_NAME).replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2');
  return plainText(parted)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
