import type { Words } from '../panel/translate.ts';

/** The form's words. */
export const WORDS = {
  name: ['Name', 'Nombre', 'Nom'],
  email: ['Email', 'Correo electrónico', 'E-mail'],
  phone: ['Phone', 'Teléfono', 'Téléphone'],
  either: [
    'Email or phone is required, whichever you prefer.',
    'Se requiere correo o teléfono, lo que prefiera.',
    'E-mail ou téléphone obligatoire, au choix.',
  ],
  neither: [
    'Enter an email or a phone number.',
    'Indique un correo o un teléfono.',
    'Indiquez un e-mail ou un téléphone.',
  ],
  want: ['Please contact me.', 'Contácteme, por favor.', 'Merci de me contacter.'],
  consent: [
    'By sending you ask the dealer to contact you about this.',
    'Al enviar pide al vendedor que le contacte por esto.',
    'En envoyant vous demandez au vendeur de vous contacter à ce sujet.',
  ],
  intent: ['What is it about?', '¿De qué se trata?', 'De quoi s’agit-il ?'],
  general: ['A question', 'Una pregunta', 'Une question'],
  required: ['required', 'obligatorio', 'obligatoire'],
  missing: ['Please fill this in.', 'Complete este dato.', 'À remplir.'],
  whole: ['Digits only, please.', 'Solo cifras.', 'Chiffres seulement.'],
  privacy: ['Privacy', 'Privacidad', 'Confidentialité'],
  check: ['Please check this.', 'Revise este dato.', 'À vérifier.'],
  message: ['Message', 'Mensaje', 'Message'],
  send: ['Send', 'Enviar', 'Envoyer'],
  sent: [
    'Thank you. The dealer will get back to you.',
    'Gracias. El vendedor le contactará.',
    'Merci. Le vendeur vous recontactera.',
  ],
  number: [
    'A US number has 10 digits; others begin with +.',
    'Un número de EE. UU. tiene 10 dígitos; los demás empiezan con +.',
    'Un numéro américain a 10 chiffres ; les autres commencent par +.',
  ],
  noPhone: [
    'This number cannot be called. Please check it.',
    'No se puede llamar a este número. Revíselo.',
    'Ce numéro ne peut pas être appelé. Vérifiez-le.',
  ],
  address: [
    'An email address looks like name@company.com.',
    'Un correo se escribe como nombre@empresa.com.',
    'Une adresse s’écrit comme nom@societe.com.',
  ],
  also: [
    'I am also interested in this truck.',
    'También me interesa este camión.',
    'Ce camion m’intéresse aussi.',
  ],
  kept: [
    'Your enquiry is saved on this device. It is sent as soon as there is a connection.',
    'Su consulta está guardada en este dispositivo. Se enviará en cuanto haya conexión.',
    'Votre demande est enregistrée sur cet appareil. Elle part dès que la connexion revient.',
  ],
  held: [
    'Your enquiry is not sent yet. Keep this page open: it is sent as soon as there is a connection.',
    'Su consulta aún no se ha enviado. Deje abierta esta página: se enviará en cuanto haya conexión.',
    'Votre demande n’est pas encore partie. Gardez cette page ouverte : elle part dès que la connexion revient.',
  ],
  correct: [
    'Correct an enquiry that was not sent',
    'Corregir una consulta que no se envió',
    'Corriger une demande qui n’est pas partie',
  ],
  sending: ['Sending…', 'Enviando…', 'Envoi…'],
  hurry: ['In a hurry?', '¿Tiene prisa?', 'C’est urgent ?'],
  reach: ['Call #', 'Llamar al #', 'Appeler le #'],
} as const satisfies Words;
