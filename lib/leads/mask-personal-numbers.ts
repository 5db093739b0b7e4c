import { foldWidth } from '../truck/text/text.ts';

/** Numbers of people that nobody needs to sell a truck: they are masked before anything is stored or sent on. */

/** What people write between groups of digits: dashes, dots, slashes and blanks, whatever their width. */
const GAP = String.raw`(?:[\p{Pd}\p{Z}\p{Cf}\s._/\u00b7\u02d7\u2022\u2024\u2027\u2043\u2044\u2212\u2219\u22c5\u2500\u2796\u3002\u30fb\ufe52\uff0e\uff0f\uff3f\uff61\uff65]{1,5})`;
/** Letters may stand right beside the number: `SSN123-45-6789`. */
const toPattern = (shape: string) =>
  new RegExp(String.raw`(?<![\p{N}+])${shape.replaceAll('-', GAP)}(?!\p{N})`, 'giu');

const SOCIAL_SECURITY = toPattern(String.raw`\d{3}-\d{2}-\d{4}`);
/** Other groups of nine digits, or none, are one only where words say so. */
const NAMED_SOCIAL_SECURITY = new RegExp(
  String.raw`\b(ssn|ss ?#|soc(?:ial)?\.? sec(?:urity)?|my social|seguro social|assurance sociale)(\D{0,30})\d(?:${GAP}?\d){8}(?!\d)`,
  'giu',
);
/** As cards are printed, with all blanks or some; four years in a row are none. */
const CARDS = [
  String.raw`(?!19|20)\d{4}-\d{4}-\d{4}-\d{4}-\d{3}`,
  String.raw`(?!19|20)\d{4}-?\d{4}-?\d{4}-?\d{4}`,
  String.raw`3\d{3}-\d{6}-\d{4,5}`,
  String.raw`\d{13,19}`,
].map(toPattern);
const WIDE_DIGITS = /[\uff10-\uff19]/g;

/** Social security and card numbers become asterisks. */
export function maskPersonalNumbers(text: string): string {
  const masked = text
    .replace(WIDE_DIGITS, foldWidth)
    .replace(SOCIAL_SECURITY, '***-**-****')
    .replace(NAMED_SOCIAL_SECURITY, '$1$2*********');
  return CARDS.reduce(
    (rest, card) => rest.replace(card, (number) => (passesLuhn(number) ? '**** **** **** ****' : number)),
    masked,
  );
}

/** The check digit that every card number has. */
function passesLuhn(number: string): boolean {
  const digits = number.replace(/\D/g, '');
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
