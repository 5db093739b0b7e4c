import type { Locale } from '../contract/widget/locale.ts';

/**
 * All that the chat says, in every language it speaks. Of several wordings a conversation takes another each time; what stands in
 * braces is filled in.
 */

const en = {
  language: 'English',
  greet: [
    'Hello, and welcome to {dealer}. What kind of truck are you looking for?',
    'Hi, this is {dealer}. What can we help you find?',
    'Welcome to {dealer}. Tell me what you need a truck for, and I will look.',
  ],
  thank: ['You’re welcome.', 'Happy to help.', 'Any time.'],
  goodbye: [
    'Thanks for stopping by. We are here when you need us.',
    'Take care, and come back any time.',
    'Goodbye, and safe travels.',
  ],
  found: [
    'I found {count} for {criteria}.',
    'For {criteria} we have {count}.',
    '{criteria}: we have {count}.',
  ],
  foundAny: ['We have {count} for sale right now.', 'Right now {count} are for sale here.'],
  none: ['I find nothing for {criteria} right now.', 'There is no truck for {criteria} here at the moment.'],
  closest: ['Nothing matches all of that; these come closest.', 'No exact match, but these are close.'],
  similar: ['These are similar to the {truck}.', 'If you like the {truck}, look at these.'],
  these: ['Take a look at these.', 'Here is what I can show you.', 'Have a look.'],
  one: 'one truck',
  many: '{n} trucks',
  withPrice: 'the {truck} at {price}',
  onRequest: 'the {truck}, price on request',
  withMileage: ' with {mileage}',
  missing: [
    'Not in its listing: {facts}. Our team can find that out for you.',
    'The listing does not give {facts}; our team can tell you.',
  ],
  available: ['Yes, the {truck} is for sale right now.', 'The {truck} is still for sale.'],
  best: { price: 'The {truck} costs the least.', mileage: 'The {truck} has the fewest miles.' },
  ask: {
    use: ['What will you haul with it?', 'What kind of work is the truck for?'],
    budget: ['What budget do you have in mind?', 'About how much would you like to spend?'],
    body: ['What body do you need: sleeper, day cab, box, dump …?', 'Which kind of truck do you need?'],
    mileage: ['How many miles would be fine for you?', 'Is there a limit on miles for you?'],
    place: ['Where would you like to pick it up?', 'Which area are you in?'],
  },
  dealer: {
    hours: ['{value}.', 'Our hours: {value}.'],
    place: ['You find us at {value}.', 'We are at {value}.'],
    contact: ['You reach us at {value}.', 'Contact us at {value}.'],
  },
  dealerMissing: 'I do not have that at hand.',
  refer: {
    finance: 'Financing is something to talk over with our team.',
    trade_in: 'A trade-in is best discussed with our team.',
    discount: 'The listed price is what I have; anything about price is for our team.',
    warranty: 'Our team can tell you whether and what warranty there is.',
    delivery: 'Our team can tell you about pickup and delivery.',
    inspection: 'Ask our team about looking the truck over.',
    documents: 'Our team can tell you about title and papers.',
    other: 'That is a question for our team.',
  },
  callOrLeave: 'Call {phone}, or leave your details here.',
  leaveDetails: 'Leave your details here, and they will get back to you.',
  decline: [
    'I can only help with the trucks of {dealer}.',
    'That is beyond me; I know the trucks that {dealer} has for sale.',
  ],
  suggestions: {
    newest: 'Show me your newest trucks',
    sleepers: 'Which sleeper tractors do you have?',
    similar: 'Show me similar trucks',
    fewestMiles: 'Which one has the fewest miles?',
    cheapest: 'Which one is the most affordable?',
    details: 'Tell me more about this truck',
    contact: 'Have someone contact me',
  },
};

export type Phrases = typeof en;

const es: Phrases = {
  language: 'Spanish',
  greet: [
    'Hola, le damos la bienvenida a {dealer}. ¿Qué tipo de camión busca?',
    'Hola, aquí {dealer}. ¿En qué le podemos ayudar?',
    'Le damos la bienvenida a {dealer}. Dígame para qué necesita el camión y lo busco.',
  ],
  thank: ['De nada.', 'Con mucho gusto.', 'Para servirle.'],
  goodbye: [
    'Gracias por su visita. Aquí estamos cuando nos necesite.',
    'Que le vaya bien; vuelva cuando guste.',
    'Hasta luego y buen viaje.',
  ],
  found: [
    'Encontré {count} para {criteria}.',
    'Para {criteria} tenemos {count}.',
    '{criteria}: tenemos {count}.',
  ],
  foundAny: ['Ahora mismo tenemos {count} en venta.', 'En este momento hay {count} en venta aquí.'],
  none: ['Ahora no encuentro nada para {criteria}.', 'Por el momento no hay camiones para {criteria} aquí.'],
  closest: [
    'Nada coincide con todo eso; estos son los más parecidos.',
    'No hay uno exacto, pero estos se acercan.',
  ],
  similar: ['Estos son similares: {truck}.', 'Si le gusta este ({truck}), vea estos.'],
  these: ['Vea estos.', 'Esto es lo que le puedo mostrar.', 'Eche un vistazo.'],
  one: 'un camión',
  many: '{n} camiones',
  withPrice: '{truck} a {price}',
  onRequest: '{truck}, precio a consultar',
  withMileage: ' con {mileage}',
  missing: [
    'El anuncio no lo indica: {facts}. Nuestro equipo lo puede averiguar.',
    'No figura en el anuncio: {facts}; nuestro equipo se lo puede decir.',
  ],
  available: ['Sí, sigue en venta: {truck}.', 'Está en venta ahora mismo: {truck}.'],
  best: { price: 'El de menor precio: {truck}.', mileage: 'El de menor recorrido: {truck}.' },
  ask: {
    use: ['¿Qué va a transportar?', '¿Para qué trabajo es el camión?'],
    budget: ['¿Qué presupuesto tiene en mente?', '¿Cuánto le gustaría gastar, más o menos?'],
    body: [
      '¿Qué carrocería necesita: dormitorio, cabina corta, caja, volteo…?',
      '¿Qué tipo de camión necesita?',
    ],
    mileage: ['¿Cuántas millas estarían bien para usted?', '¿Hay un límite de millas para usted?'],
    place: ['¿Dónde le gustaría recogerlo?', '¿En qué zona está usted?'],
  },
  dealer: {
    hours: ['{value}.', 'Nuestro horario: {value}.'],
    place: ['Nos encuentra en {value}.', 'Estamos en {value}.'],
    contact: ['Nos puede contactar en {value}.', 'Nuestro contacto: {value}.'],
  },
  dealerMissing: 'No tengo ese dato a la mano.',
  refer: {
    finance: 'El financiamiento es mejor hablarlo con nuestro equipo.',
    trade_in: 'Tomar su camión a cuenta es mejor hablarlo con nuestro equipo.',
    discount: 'Solo tengo el precio del anuncio; sobre precios le atiende nuestro equipo.',
    warranty: 'Nuestro equipo le puede decir si hay garantía y cuál.',
    delivery: 'Nuestro equipo le puede informar sobre la entrega.',
    inspection: 'Pregunte a nuestro equipo para revisar el camión.',
    documents: 'Nuestro equipo le puede informar sobre el título y los papeles.',
    other: 'Esa pregunta es para nuestro equipo.',
  },
  callOrLeave: 'Llame al {phone} o deje aquí sus datos.',
  leaveDetails: 'Deje aquí sus datos y le contactarán.',
  decline: [
    'Solo puedo ayudar con los camiones de {dealer}.',
    'Eso no lo sé; conozco los camiones que {dealer} tiene en venta.',
  ],
  suggestions: {
    newest: 'Muéstreme sus camiones más recientes',
    sleepers: '¿Qué tractocamiones con dormitorio tienen?',
    similar: 'Muéstreme camiones similares',
    fewestMiles: '¿Cuál tiene menos millas?',
    cheapest: '¿Cuál es el más económico?',
    details: 'Cuénteme más de este camión',
    contact: 'Quiero que me contacten',
  },
};

const fr: Phrases = {
  language: 'French',
  greet: [
    'Bonjour et bienvenue chez {dealer}. Quel genre de camion cherchez-vous ?',
    'Bonjour, ici {dealer}. Que pouvons-nous trouver pour vous ?',
    'Bienvenue chez {dealer}. Dites-moi à quoi servira le camion, et je regarde.',
  ],
  thank: ['Je vous en prie.', 'Avec plaisir.', 'De rien.'],
  goodbye: [
    'Merci de votre visite. Nous sommes là quand vous voulez.',
    'À bientôt, revenez quand vous voulez.',
    'Au revoir et bonne route.',
  ],
  found: [
    'J’ai trouvé {count} pour {criteria}.',
    'Pour {criteria}, nous avons {count}.',
    '{criteria} : nous avons {count}.',
  ],
  foundAny: ['Nous avons {count} en vente en ce moment.', 'En ce moment, {count} à vendre ici.'],
  none: [
    'Je ne trouve rien pour {criteria} en ce moment.',
    'Il n’y a pas de camion pour {criteria} ici actuellement.',
  ],
  closest: [
    'Rien ne correspond à tout cela ; voici les plus proches.',
    'Pas de correspondance exacte, mais ceux-ci s’en approchent.',
  ],
  similar: ['Ceux-ci sont semblables : {truck}.', 'Si celui-ci vous plaît ({truck}), regardez ceux-là.'],
  these: ['Regardez ceux-ci.', 'Voici ce que je peux vous montrer.', 'Jetez un coup d’œil.'],
  one: 'un camion',
  many: '{n} camions',
  withPrice: '{truck} à {price}',
  onRequest: '{truck}, prix sur demande',
  withMileage: ' avec {mileage}',
  missing: [
    'L’annonce ne l’indique pas : {facts}. Notre équipe peut se renseigner.',
    'Absent de l’annonce : {facts} ; notre équipe pourra vous répondre.',
  ],
  available: ['Oui, il est en vente : {truck}.', 'Toujours en vente : {truck}.'],
  best: { price: 'Le moins cher : {truck}.', mileage: 'Celui qui a le moins roulé : {truck}.' },
  ask: {
    use: ['Que transporterez-vous ?', 'Pour quel travail est le camion ?'],
    budget: ['Quel budget avez-vous en tête ?', 'Combien aimeriez-vous dépenser, environ ?'],
    body: [
      'Quelle carrosserie vous faut-il : couchette, cabine courte, fourgon, benne… ?',
      'Quel type de camion vous faut-il ?',
    ],
    mileage: ['Combien de milles vous conviendraient ?', 'Avez-vous une limite de milles ?'],
    place: ['Où aimeriez-vous le prendre ?', 'Dans quelle région êtes-vous ?'],
  },
  dealer: {
    hours: ['{value}.', 'Nos heures : {value}.'],
    place: ['Vous nous trouvez au {value}.', 'Notre adresse : {value}.'],
    contact: ['Vous nous joignez à {value}.', 'Nos coordonnées : {value}.'],
  },
  dealerMissing: 'Je n’ai pas cette information sous la main.',
  refer: {
    finance: 'Le financement se discute avec notre équipe.',
    trade_in: 'La reprise de votre camion se discute avec notre équipe.',
    discount: 'Je n’ai que le prix de l’annonce ; pour les prix, voyez notre équipe.',
    warranty: 'Notre équipe vous dira s’il y a une garantie et laquelle.',
    delivery: 'Notre équipe vous renseignera sur la livraison.',
    inspection: 'Demandez à notre équipe pour examiner le camion.',
    documents: 'Notre équipe vous renseignera sur les papiers.',
    other: 'C’est une question pour notre équipe.',
  },
  callOrLeave: 'Appelez le {phone} ou laissez ici vos coordonnées.',
  leaveDetails: 'Laissez ici vos coordonnées, et l’on vous recontactera.',
  decline: [
    'Je ne peux aider que pour les camions de {dealer}.',
    'Cela me dépasse ; je connais les camions que {dealer} a en vente.',
  ],
  suggestions: {
    newest: 'Montrez-moi vos camions les plus récents',
    sleepers: 'Quels tracteurs avec couchette avez-vous ?',
    similar: 'Montrez-moi des camions similaires',
    fewestMiles: 'Lequel a le moins de milles ?',
    cheapest: 'Lequel est le plus abordable ?',
    details: 'Dites-m’en plus sur ce camion',
    contact: 'Je veux être contacté',
  },
};

export const PHRASES: Readonly<Record<Locale, Phrases>> = { en, es, fr };
