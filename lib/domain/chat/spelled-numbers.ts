/** Numbers in English, Spanish and French words, without accents. */

const VALUES = new Map<string, number>();
const add = (words: string, value: number) => {
  for (const word of words.split(' ')) VALUES.set(word, value);
};
[
  'zero cero oh',
  'one un una uno une',
  'two dos deux',
  'three tres trois',
  'four cuatro quatre',
  'five cinco cinq',
  'six seis',
  'seven siete sept',
  'eight ocho huit',
  'nine nueve neuf',
  'ten diez dix',
  'eleven once onze',
  'twelve doce douze dozen docena douzaine',
  'thirteen trece treize',
  'fourteen catorce quatorze',
  'fifteen quince quinze',
  'sixteen dieciseis seize',
  'seventeen diecisiete',
  'eighteen dieciocho',
  'nineteen diecinueve',
  'twenty veinte vingt vingts',
  'veintiun veintiuno veintiuna',
  'veintidos',
  'veintitres',
  'veinticuatro',
  'veinticinco',
  'veintiseis',
  'veintisiete',
  'veintiocho',
  'veintinueve',
].forEach(add);
[
  'thirty treinta trente',
  'forty fourty cuarenta quarante',
  'fifty cincuenta cinquante',
  'sixty sesenta soixante',
  'seventy setenta septante',
  'eighty ochenta huitante octante',
  'ninety noventa nonante',
].forEach((words, at) => {
  add(words, (at + 3) * 10);
});
[
  'cien ciento',
  'doscientos doscientas',
  'trescientos trescientas',
  'cuatrocientos cuatrocientas',
  'quinientos quinientas',
  'seiscientos seiscientas',
  'setecientos setecientas',
  'ochocientos ochocientas',
  'novecientos novecientas',
].forEach((words, at) => {
  add(words, (at + 1) * 100);
});
const SCALES = new Map<string, number>();
for (const [words, value] of [
  ['hundred cent cents', 100],
  ['thousand thou grand mil mille', 1_000],
  ['million millon millones', 1_000_000],
] as const)
  for (const word of words.split(' ')) SCALES.set(word, value);

const WORD = `(?:${[...VALUES.keys(), ...SCALES.keys()].sort((a, b) => b.length - a.length).join('|')})`;
const RUN = new RegExp(`(?<![\\w.])${WORD}(?:[ -]{1,3}(?:(?:and|y|et)[ -])?${WORD})*(?!\\w)`, 'gi');
/** Words that are numbers only beside another number or before a unit: `one owner`, `camion neuf`, `très`. */
const UNCERTAIN = /^(?:one|un|una|uno|une|dos|tres|once|sept|neuf|oh|grand|six)$/i;
const UNIT =
  /^\s?-?(?:%|\$|€|dollars?|bucks?|cents?|dolar(?:es)?|pesos?|euros?|usd|k\b|(?:day|week|month|year|hour|dia|semana|mes|ano|hora|jour|semaine|moi|an|heure)(?:e?s)?\b)/i;

/** Writes numbers in words as digits; digits said one by one become one number. */
export function digitsForWords(text: string): string {
  return text.replace(RUN, (run, at: number) => {
    const words = run
      .toLowerCase()
      .split(/[ -]+/)
      .filter((word) => !/^(?:and|y|et)$/.test(word));
    const [first = '', second] = words;
    const before = /\d ?$/.test(text.slice(0, at));
    if (words.length === 1 && UNCERTAIN.test(first) && !before && !UNIT.test(text.slice(at + run.length)))
      return run;
    // French: `un grand camion`.
    if (words.length === 2 && /^(?:une?|tres)$/.test(first) && second === 'grand') return run;
    // `45 thousand` is read where its digits are.
    if (before && words.length === 1 && SCALES.has(first)) return run;
    const digits = words.map((word) => VALUES.get(word) ?? 100);
    if (words.length > 2 && digits.every((digit) => digit < 10)) return digits.join('');
    return numbersIn(words).join(' ');
  });
}

/** `sixty two nine hundred` → 62, 900: a word that does not fit the number begun starts the next one. */
function numbersIn(words: readonly string[]): number[] {
  const numbers: number[] = [];
  let thousands = 0;
  let rest: number | null = null;
  for (const word of words) {
    const scale = SCALES.get(word);
    if (scale === 100) rest = (rest ?? 1) * scale;
    else if (scale !== undefined) {
      thousands += (rest ?? 1) * scale;
      rest = null;
    } else {
      const value = VALUES.get(word) ?? 0;
      if (rest !== null && !fits(rest, value)) {
        numbers.push(thousands + rest);
        thousands = 0;
        rest = null;
      }
      rest = word.startsWith('vingt') && rest === 4 ? 80 : (rest ?? 0) + value;
    }
  }
  numbers.push(thousands + (rest ?? 0));
  return numbers;
}

/** French counts on to 19 after 60 and 80, and 80 is `quatre-vingts`. */
function fits(before: number, value: number): boolean {
  if (before === 4 && value === 20) return true;
  const tens = before % 100;
  if (before >= 100 && tens === 0) return value < 100;
  return tens === 60 || tens === 80 ? value < 20 : tens >= 20 && tens % 10 === 0 && value < 10;
}
