import type { Words } from '../panel/translate.ts';

/** The chat's words. */
export const WORDS = {
  hello: [
    'What are you looking for? Ask about any truck or price.',
    '¿Qué busca? Pregunte por un camión o un precio.',
    'Que cherchez-vous ? Demandez un camion ou un prix.',
  ],
  first: ['Trucks under $50,000', 'Camiones por menos de $50,000', 'Camions à moins de 50 000 $'],
  still: ['Is it still available?', '¿Sigue disponible?', 'Est-il encore disponible ?'],
  person: ['Have someone contact me', 'Quiero que me contacten', 'J’aimerais qu’on me contacte'],
  leave: [
    'Send these details to the dealer',
    'Enviar estos datos al vendedor',
    'Envoyer ces coordonnées au vendeur',
  ],
  message: ['Message', 'Mensaje', 'Message'],
  send: ['Send', 'Enviar', 'Envoyer'],
  stop: ['Stop', 'Detener', 'Arrêter'],
  you: ['You:', 'Usted:', 'Vous :'],
  note: [
    'An automatic assistant answers here. Please confirm details with the dealer.',
    'Aquí responde un asistente automático. Confirme los datos con el vendedor.',
    'Un assistant automatique répond ici. Confirmez les détails avec le vendeur.',
  ],
  noChat: [
    'Chat is not available. Contact the dealer.',
    'Chat no disponible. Contacte al vendedor.',
    'Discussion indisponible. Contactez le vendeur.',
  ],
} as const satisfies Words;
