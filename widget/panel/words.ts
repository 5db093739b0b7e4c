import { LANGUAGES } from '../options.ts';

/** Every word of the panel, a column per language; `#` is where a value goes. */
const WORDS = {
  trucks: ['Trucks', 'Camiones', 'Camions'],
  chat: ['Chat', 'Chat', 'Discussion'],
  close: ['Close', 'Cerrar', 'Fermer'],
  back: ['Back', 'Volver', 'Retour'],
  find: ['Make, model or body', 'Marca, modelo o carrocería', 'Marque, modèle ou carrosserie'],
  sort: ['Sort', 'Ordenar', 'Trier'],
  newest: ['Newest', 'Más recientes', 'Plus récents'],
  cheapest: ['Lowest price', 'Menor precio', 'Prix croissant'],
  fewest: ['Fewest miles', 'Menos millas', 'Moins de miles'],
  found: ['# trucks', '# camiones', '# camions'],
  none: [
    'No truck matches. Try other words or contact the dealer.',
    'Ningún camión. Pruebe otras palabras o contacte al vendedor.',
    'Aucun camion. Essayez d’autres mots ou contactez le vendeur.',
  ],
  more: ['Show more', 'Ver más', 'Voir plus'],
  call: ['Call for price', 'Consultar precio', 'Prix sur demande'],
  gone: ['No longer available', 'Ya no disponible', 'Plus disponible'],
  class: ['Class', 'Clase', 'Classe'],
  condition: ['Condition', 'Estado', 'État'],
  new: ['New', 'Nuevo', 'Neuf'],
  used: ['Used', 'Usado', 'Occasion'],
  page: ['Full details', 'Ficha completa', 'Fiche complète'],
  ask: ['Ask a question', 'Hacer una pregunta', 'Poser une question'],
  contact: ['Contact the dealer', 'Contactar al vendedor', 'Contacter le vendeur'],
  hello: [
    'What are you looking for? Ask about any truck or price.',
    '¿Qué busca? Pregunte por un camión o un precio.',
    'Que cherchez-vous ? Demandez un camion ou un prix.',
  ],
  first: ['Trucks under $50,000', 'Camiones por menos de $50,000', 'Camions à moins de 50 000 $'],
  still: ['Is it still available?', '¿Sigue disponible?', 'Est-il encore disponible ?'],
  person: ['Have someone contact me', 'Quiero que me contacten', 'Je veux être contacté'],
  message: ['Message', 'Mensaje', 'Message'],
  send: ['Send', 'Enviar', 'Envoyer'],
  stop: ['Stop', 'Detener', 'Arrêter'],
  you: ['You:', 'Usted:', 'Vous :'],
  note: [
    'Automated answers: please confirm details.',
    'Respuestas automáticas: confirme los datos.',
    'Réponses automatiques, à confirmer.',
  ],
  forget: ['Remove', 'Quitar', 'Retirer'],
  name: ['Name', 'Nombre', 'Nom'],
  email: ['Email', 'Correo electrónico', 'E-mail'],
  phone: ['Phone', 'Teléfono', 'Téléphone'],
  either: [
    'Email or phone, whichever you prefer.',
    'Correo o teléfono, lo que prefiera.',
    'E-mail ou téléphone, au choix.',
  ],
  want: ['Please contact me.', 'Contácteme, por favor.', 'Merci de me contacter.'],
  consent: [
    'The dealer may contact me about this.',
    'El vendedor puede contactarme por esto.',
    'Le vendeur peut me contacter à ce sujet.',
  ],
  privacy: ['Privacy', 'Privacidad', 'Confidentialité'],
  check: ['Please check this.', 'Revise este dato.', 'À vérifier.'],
  sent: [
    'Thank you. The dealer will get back to you.',
    'Gracias. El vendedor le contactará.',
    'Merci. Le vendeur vous recontactera.',
  ],
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
    'Chat is not available. Search the trucks or contact the dealer.',
    'Chat no disponible. Busque camiones o contacte al vendedor.',
    'Discussion indisponible. Cherchez un camion ou contactez le vendeur.',
  ],
  failed: [
    'That did not work. Try again or contact the dealer.',
    'No funcionó. Reintente o contacte al vendedor.',
    'Échec. Réessayez ou contactez le vendeur.',
  ],
} as const satisfies Record<string, readonly [string, string, string]>;

export type Word = keyof typeof WORDS;

/** The word in a language, with its value put in. */
export type Say = (word: Word, value?: string | number) => string;

export interface Tongue {
  say: Say;
  number(value: number): string;
  /** Whole US dollars. */
  dollars(value: number): string;
}

export function tongue(column: number): Tongue {
  const language = `${LANGUAGES[column]}-US`;
  const currency = {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 0,
  } as const;
  return {
    say: (word, value = '') => WORDS[word][column as 0].replace('#', `${value}`),
    number: (value) => value.toLocaleString(language),
    dollars: (value) => value.toLocaleString(language, currency),
  };
}
