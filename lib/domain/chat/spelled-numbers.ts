/** Numbers in English, Spanish and French words, without accents. */

const VALUES = readTable(`
  0 zero cero oh | 1 one un una uno une | 2 two dos deux | 3 three tres trois | 4 four cuatro quatre | 5 five cinco cinq
  6 six seis | 7 seven siete sept | 8 eight ocho huit | 9 nine nueve neuf | 10 ten diez dix | 11 eleven once onze
  12 twelve doce douze dozen docena douzaine | 13 thirteen trece treize | 14 fourteen catorce quatorze
  15 fifteen quince quinze | 16 sixteen dieciseis seize | 17 seventeen diecisiete | 18 eighteen dieciocho
  19 nineteen diecinueve | 20 twenty veinte vingt vingts | 21 veintiun veintiuno veintiuna | 22 veintidos
  23 veintitres | 24 veinticuatro | 25 veinticinco | 26 veintiseis | 27 veintisiete | 28 veintiocho | 29 veintinueve
  30 thirty treinta trente | 40 forty fourty cuarenta quarante | 50 fifty cincuenta cinquante
  60 sixty sesenta soixante | 70 seventy setenta septante | 80 eighty ochenta huitante octante
  90 ninety noventa nonante | 100 cien ciento | 200 doscientos doscientas | 300 trescientos trescientas
  400 cuatrocientos cuatrocientas | 500 quinientos quinientas | 600 seiscientos seiscientas
  700 setecientos setecientas | 800 ochocientos ochocientas | 900 novecientos novecientas`);
const SCALES = readTable(`
  100 hundred cent cents | 1000 thousand thou grand mil mille | 1000000 million millon millones`);

function readTable(text: string): Map<string, number> {
  const rows = text.split(/[|\n]/).map((row) => row.trim().split(' '));
  return new Map(rows.flatMap(([value, ...words]) => words.map((word) => [word, Number(value)] as const)));
}

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
