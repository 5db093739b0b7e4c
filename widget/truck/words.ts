import type { Words } from '../panel/translate.ts';

/** The truck view's words. */
export const WORDS = {
  class: ['Class', 'Clase', 'Classe'],
  condition: ['Condition', 'Estado', 'État'],
  new: ['New', 'Nuevo', 'Neuf'],
  used: ['Used', 'Usado', 'Occasion'],
  page: ['Full details', 'Ficha completa', 'Fiche complète'],
  ask: ['Ask a question', 'Hacer una pregunta', 'Poser une question'],
} as const satisfies Words;
