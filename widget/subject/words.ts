import type { Words } from '../panel/translate.ts';

export const WORDS = { forget: ['Remove', 'Quitar', 'Retirer'] } as const satisfies Words;
