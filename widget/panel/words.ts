import type { Words } from './translate.ts';

/** The panel's words, a column per language; `#` is where a value goes. Chunks have tables of their own. */
export const WORDS = {
  trucks: ['Trucks', 'Camiones', 'Camions'],
  chat: ['Chat', 'Chat', 'Discussion'],
  close: ['Close', 'Cerrar', 'Fermer'],
  back: ['Back', 'Volver', 'Retour'],
  find: ['Make, model or body', 'Marca, modelo o carrocería', 'Marque, modèle ou carrosserie'],
  call: ['Call for price', 'Consultar precio', 'Prix sur demande'],
  gone: ['No longer available', 'No disponible', 'Plus disponible'],
  contact: ['Contact the dealer', 'Contactar al vendedor', 'Contacter le vendeur'],
  again: ['Try again', 'Reintentar', 'Réessayer'],
  offline: ['No connection. Please try again.', 'Sin conexión. Reintente.', 'Pas de connexion. Réessayez.'],
  failed: [
    'That did not work. Try again or contact the dealer.',
    'No funcionó. Reintente o contacte al vendedor.',
    'Échec. Réessayez ou contactez le vendeur.',
  ],
  another: ['Send another message', 'Otro mensaje', 'Autre message'],
  tel: ['Call #', 'Llamar al #', 'Appeler le #'],
  sms: ['Text #', 'Enviar SMS al #', 'SMS au #'],
} as const satisfies Words;

export type Word = keyof typeof WORDS;
