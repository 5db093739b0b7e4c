import type { Words } from '../panel/translate.ts';

/** The truck view's words. */
export const WORDS = {
  page: ['Full details', 'Ficha completa', 'Fiche complète'],
  ask: ['Ask a question', 'Hacer una pregunta', 'Poser une question'],
  photos: ['Photos', 'Fotos', 'Photos'],
  earlier: ['Previous photo', 'Foto anterior', 'Photo précédente'],
  next: ['Next photo', 'Foto siguiente', 'Photo suivante'],
  call: ['Call', 'Llamar', 'Appeler'],
  text: ['Text', 'SMS', 'SMS'],
  share: ['Share', 'Compartir', 'Partager'],
  copied: ['Link copied', 'Enlace copiado', 'Lien copié'],
  about: ['About # (#)', 'Sobre # (#)', 'À propos de # (#)'],
  add: [
    'Add this truck to your enquiry',
    'Añadir este camión a su consulta',
    'Ajouter ce camion à votre demande',
  ],
  added: [
    'The dealer has your enquiry about this truck.',
    'El vendedor tiene su consulta sobre este camión.',
    'Le vendeur a votre demande sur ce camion.',
  ],
  waiting: [
    'Your enquiry about this truck is sent as soon as there is a connection.',
    'Su consulta sobre este camión se enviará en cuanto haya conexión.',
    'Votre demande sur ce camion part dès que la connexion revient.',
  ],
  sending: ['Sending…', 'Enviando…', 'Envoi…'],
} as const satisfies Words;
