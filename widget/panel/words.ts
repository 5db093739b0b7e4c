import type { Words } from './translate.ts';

/** The panel's words, a column per language; `#` is where a value goes. Chunks have tables of their own. */
export const WORDS = {
  trucks: ['Trucks', 'Camiones', 'Camions'],
  chat: ['Chat', 'Chat', 'Discussion'],
  close: ['Close', 'Cerrar', 'Fermer'],
  back: ['Back', 'Volver', 'Retour'],
  find: ['Make, model or body', 'Marca, modelo o carrocería', 'Marque, modèle ou carrosserie'],
  found: ['# trucks', '# camiones', '# camions'],
  none: [
    'No truck matches. Try other words or contact the dealer.',
    'Ningún camión. Pruebe otras palabras o contacte al vendedor.',
    'Aucun camion. Essayez d’autres mots ou contactez le vendeur.',
  ],
  more: ['Show more', 'Ver más', 'Voir plus'],
  call: ['Call for price', 'Consultar precio', 'Prix sur demande'],
  gone: ['No longer available', 'Ya no disponible', 'Plus disponible'],
  contact: ['Contact the dealer', 'Contactar al vendedor', 'Contacter le vendeur'],
  again: ['Try again', 'Reintentar', 'Réessayer'],
  offline: [
    'No connection. Check your internet and try again.',
    'Sin conexión. Revise su internet y reintente.',
    'Pas de connexion. Vérifiez votre internet et réessayez.',
  ],
  wait: [
    'Many requests at once. Please wait a moment.',
    'Demasiadas solicitudes. Espere un momento.',
    'Trop de demandes. Patientez un instant.',
  ],
  noChat: [
    'Chat is not available. Contact the dealer.',
    'Chat no disponible. Contacte al vendedor.',
    'Discussion indisponible. Contactez le vendeur.',
  ],
  failed: [
    'That did not work. Try again or contact the dealer.',
    'No funcionó. Reintente o contacte al vendedor.',
    'Échec. Réessayez ou contactez le vendeur.',
  ],
  another: ['Send another message', 'Enviar otro mensaje', 'Envoyer un autre message'],
  tel: ['Call #', 'Llamar al #', 'Appeler le #'],
  sms: ['Text #', 'Enviar SMS al #', 'SMS au #'],
} as const satisfies Words;

export type Word = keyof typeof WORDS;
