import type { Locale } from '../../contract/widget/locale.ts';

/** What the chat says by itself, in every language it speaks. */

interface ChatWords {
  language: string;
  /** In place of a sentence that the inventory does not bear out. */
  unconfirmed: string;
  /** In place of a sentence about a VIN that the dealer does not have. */
  noSuchVin: string;
  /** When nothing else can be said. */
  cannotAnswer: string;
  suggestions: {
    newest: string;
    sleepers: string;
    similar: string;
    fewestMiles: string;
    cheapest: string;
    condition: string;
    /** Opens the form. */
    contact: string;
  };
}

const WORDS: Readonly<Record<Locale, ChatWords>> = {
  en: {
    language: 'English',
    unconfirmed: 'I could not confirm that detail in our inventory; our team can tell you for sure.',
    noSuchVin: 'I do not find that VIN in our inventory.',
    cannotAnswer: 'I cannot answer that here. Leave your details, and our team will get back to you.',
    suggestions: {
      newest: 'Show me your newest trucks',
      sleepers: 'Which sleeper tractors do you have?',
      similar: 'Show me similar trucks',
      fewestMiles: 'Which one has the fewest miles?',
      cheapest: 'Which one is the most affordable?',
      condition: 'Tell me more about this truck',
      contact: 'Have someone contact me',
    },
  },
  es: {
    language: 'Spanish',
    unconfirmed:
      'No pude confirmar ese dato en nuestro inventario; nuestro equipo puede decírselo con certeza.',
    noSuchVin: 'No encuentro ese VIN en nuestro inventario.',
    cannotAnswer: 'No puedo responder eso aquí. Déjenos sus datos y nuestro equipo se pondrá en contacto.',
    suggestions: {
      newest: 'Muéstreme sus camiones más recientes',
      sleepers: '¿Qué tractocamiones con dormitorio tienen?',
      similar: 'Muéstreme camiones similares',
      fewestMiles: '¿Cuál tiene menos millas?',
      cheapest: '¿Cuál es el más económico?',
      condition: 'Cuénteme más de este camión',
      contact: 'Quiero que me contacten',
    },
  },
  fr: {
    language: 'French',
    unconfirmed:
      'Je n’ai pas pu confirmer ce détail dans notre inventaire ; notre équipe pourra vous répondre.',
    noSuchVin: 'Je ne trouve pas ce NIV dans notre inventaire.',
    cannotAnswer: 'Je ne peux pas répondre ici. Laissez vos coordonnées et notre équipe vous recontactera.',
    suggestions: {
      newest: 'Montrez-moi vos camions les plus récents',
      sleepers: 'Quels tracteurs avec couchette avez-vous ?',
      similar: 'Montrez-moi des camions similaires',
      fewestMiles: 'Lequel a le moins de milles ?',
      cheapest: 'Lequel est le plus abordable ?',
      condition: 'Dites-m’en plus sur ce camion',
      contact: 'Je veux être contacté',
    },
  },
};

export const wordsIn = (locale: Locale): ChatWords => WORDS[locale];

/** At most three things to say next. */
export function suggestionsFor(
  locale: Locale,
  turn: { vehicles: number; leadCaptured: boolean; answered: boolean },
): string[] {
  const { newest, sleepers, similar, fewestMiles, cheapest, condition, contact } = WORDS[locale].suggestions;
  const next =
    turn.vehicles === 0
      ? [newest, sleepers]
      : turn.vehicles === 1
        ? [condition, similar]
        : [fewestMiles, cheapest];
  if (turn.leadCaptured) return next;
  return turn.answered ? [...next, contact] : [contact, ...next];
}
