import type { Words } from '../panel/translate.ts';

/** Words of what comes after the first trucks. */
export const WORDS = {
  none: [
    'No truck matches. Try other words or contact the dealer.',
    'Ningún camión. Pruebe otras palabras o contacte al vendedor.',
    'Aucun camion. Essayez d’autres mots ou contactez le vendeur.',
  ],
  more: ['Show more', 'Ver más', 'Voir plus'],
  wait: [
    'Too many requests. Please wait a moment.',
    'Demasiadas solicitudes. Espere un momento.',
    'Trop de demandes. Patientez un instant.',
  ],
} as const satisfies Words;
