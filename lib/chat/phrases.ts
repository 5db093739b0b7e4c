import type { Locale } from '../truck/card/locale.ts';

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
    'I found {count} for you ({criteria}).',
    'We have {count} like that ({criteria}).',
    'Right now we have {count} ({criteria}).',
  ],
  foundAny: ['We have {count} for sale right now.', 'Right now we have {count} to choose from.'],
  none: [
    'I find no truck listed like that right now ({criteria}).',
    'Nothing is listed like that at the moment ({criteria}).',
  ],
  closest: [
    'Nothing exactly like that right now ({criteria}); here is what we do have.',
    'No exact match right now ({criteria}), but here is what we have.',
  ],
  similar: ['Here is what we have similar to the {truck}.', 'If you like the {truck}, have a look at this.'],
  these: ['Take a look at what we have.', 'Here is what I can show you.', 'Have a look.'],
  one: 'one truck',
  many: '{n} trucks',
  withPrice: 'the {truck} at {price}',
  onRequest: 'the {truck} (price on request)',
  withMileage: ' with {mileage}',
  missing: [
    'I do not have this on file: {facts}. Our team can find out for you.',
    'I do not have {facts} on file; our team can tell you.',
  ],
  available: ['The {truck} is for sale right now.', 'The {truck} is still for sale.'],
  best: {
    price: 'Of these, the {truck} has the lowest price.',
    mileage: 'Of these, the {truck} has the fewest miles.',
  },
  ask: {
    use: ['What will you be hauling?', 'What kind of work is the truck for?'],
    budget: ['What budget do you have in mind?', 'About how much would you like to spend?'],
    body: [
      'What do you need: a sleeper, a day cab, a box truck, a dump truck?',
      'What kind of truck do you need?',
    ],
    mileage: ['How many miles would be OK for you?', 'Do you have a limit on miles?'],
    place: ['Where would you like to pick it up?', 'What area are you in?'],
  },
  dealer: {
    hours: ['Our hours: {value}.', 'Here are our hours: {value}.'],
    place: ['You’ll find us at {value}.', 'We are at {value}.'],
    contact: ['You can reach us at {value}.', 'Here is how to reach us: {value}.'],
  },
  dealerMissing: 'I do not have that at hand.',
  refer: {
    finance: 'Financing is something to talk over with our team.',
    trade_in: 'Our team would be glad to talk about your trade-in.',
    discount: 'I only have the listed price; our team can talk numbers with you.',
    warranty: 'Our team can tell you about any warranty.',
    delivery: 'Our team can tell you about pickup and delivery.',
    inspection: 'Ask our team about having the truck looked over.',
    documents: 'Our team can tell you about the title and paperwork.',
    other: 'Our team is happy to help you.',
  },
  callOrLeave: 'Call {phone}, or leave your details here.',
  leaveDetails: 'Leave your details here, and they will get back to you.',
  decline: [
    'I can only help with trucks at {dealer}.',
    'I can’t help with that; what I know is the trucks that {dealer} has for sale.',
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
    'Hola, somos {dealer}. ¿En qué le podemos ayudar?',
    'Le damos la bienvenida a {dealer}. Dígame para qué necesita el camión y se lo busco.',
  ],
  thank: ['De nada.', 'Con mucho gusto.', 'Para servirle.'],
  goodbye: [
    'Gracias por su visita. Aquí estamos cuando nos necesite.',
    'Que le vaya bien; vuelva cuando guste.',
    'Hasta luego y buen viaje.',
  ],
  found: [
    'Le encontré {count} ({criteria}).',
    'Tenemos {count} así ({criteria}).',
    'Ahorita tenemos {count} ({criteria}).',
  ],
  foundAny: ['Ahorita tenemos {count} en venta.', 'En este momento hay {count} en venta.'],
  none: [
    'Por ahora no veo ningún camión anunciado así ({criteria}).',
    'De momento no hay nada anunciado así ({criteria}).',
  ],
  closest: [
    'Por ahora nada exactamente así ({criteria}); esto es lo que sí tenemos.',
    'No hay uno igual ({criteria}), pero esto es lo que tenemos.',
  ],
  similar: ['Parecido al {truck} tenemos esto.', 'Si le gusta el {truck}, vea esto.'],
  these: ['Mire lo que tenemos.', 'Esto es lo que le puedo mostrar.', 'Aquí tiene.'],
  one: 'un camión',
  many: '{n} camiones',
  withPrice: 'el {truck} a {price}',
  onRequest: 'el {truck} (precio a consultar)',
  withMileage: ' con {mileage}',
  missing: [
    'No tengo este dato: {facts}. Nuestro equipo se lo averigua.',
    'Ese dato no lo tengo ({facts}); nuestro equipo le puede informar.',
  ],
  available: ['El {truck} sigue en venta.', 'El {truck} está en venta ahorita.'],
  best: {
    price: 'De estos, el {truck} es el de menor precio.',
    mileage: 'De estos, el {truck} es el que menos ha rodado.',
  },
  ask: {
    use: ['¿Qué va a transportar?', '¿Para qué tipo de trabajo lo quiere?'],
    budget: ['¿Qué presupuesto tiene en mente?', '¿Más o menos cuánto quiere gastar?'],
    body: [
      '¿Qué busca: con dormitorio, sin dormitorio, de caja, de volteo?',
      '¿Qué tipo de camión necesita?',
    ],
    mileage: [
      '¿Con cuántas millas o kilómetros como máximo lo busca?',
      '¿Tiene un límite de millas o kilómetros?',
    ],
    place: ['¿Dónde le gustaría recogerlo?', '¿En qué zona está usted?'],
  },
  dealer: {
    hours: ['Este es nuestro horario: {value}.', 'Nuestro horario: {value}.'],
    place: ['Nos encuentra en {value}.', 'Estamos en {value}.'],
    contact: ['Nuestros datos: {value}.', 'Puede comunicarse con nosotros aquí: {value}.'],
  },
  dealerMissing: 'No tengo ese dato a la mano.',
  refer: {
    finance: 'El financiamiento lo puede platicar con nuestro equipo.',
    trade_in: 'Si quiere dar su camión a cuenta, platíquelo con nuestro equipo.',
    discount: 'Yo solo tengo el precio del anuncio; lo puede platicar con nuestro equipo.',
    warranty: 'Nuestro equipo le puede decir si tiene garantía.',
    delivery: 'Nuestro equipo le puede informar sobre la entrega.',
    inspection: 'Para revisar el camión, póngase de acuerdo con nuestro equipo.',
    documents: 'Nuestro equipo le puede informar sobre los papeles del camión.',
    other: 'Nuestro equipo le ayuda con mucho gusto.',
  },
  callOrLeave: 'Llame al {phone} o deje aquí sus datos.',
  leaveDetails: 'Deje aquí sus datos y nos comunicamos con usted.',
  decline: [
    'Solo le puedo ayudar con los camiones de {dealer}.',
    'Con eso no le puedo ayudar; yo conozco los camiones que {dealer} tiene en venta.',
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
    'Bonjour, ici {dealer}. Comment pouvons-nous vous aider ?',
    'Bienvenue chez {dealer}. Dites-moi à quoi servira le camion et je regarde ce que nous avons.',
  ],
  thank: ['Je vous en prie.', 'Avec plaisir.', 'Ça me fait plaisir.'],
  goodbye: [
    'Merci de votre visite. Nous sommes là quand vous voulez.',
    'À bientôt, revenez quand vous voulez.',
    'Au revoir et bonne route.',
  ],
  found: [
    'J’ai trouvé {count} pour vous ({criteria}).',
    'Nous avons {count} de ce genre ({criteria}).',
    'En ce moment, nous avons {count} ({criteria}).',
  ],
  foundAny: ['Nous avons {count} à vendre en ce moment.', 'Il y a {count} à vendre ici en ce moment.'],
  none: [
    'Je ne vois aucun camion annoncé ainsi en ce moment ({criteria}).',
    'Rien d’annoncé comme cela pour le moment ({criteria}).',
  ],
  closest: [
    'Rien d’identique en ce moment ({criteria}) ; voici ce que nous avons.',
    'Rien d’exactement pareil pour le moment ({criteria}), mais voici ce que nous avons.',
  ],
  similar: [
    'Voici ce que nous avons de semblable au {truck}.',
    'Si le {truck} vous plaît, regardez aussi ceci.',
  ],
  these: ['Regardez ce que nous avons.', 'Voici ce que je peux vous montrer.', 'Jetez un coup d’œil à ceci.'],
  one: 'un camion',
  many: '{n} camions',
  withPrice: 'le {truck} à {price}',
  onRequest: 'le {truck} (prix sur demande)',
  withMileage: ' avec {mileage} au compteur',
  missing: [
    'Je n’ai pas ce détail : {facts}. Notre équipe peut vérifier pour vous.',
    'Je n’ai pas ce détail ({facts}) ; notre équipe pourra vous répondre.',
  ],
  available: ['Le {truck} est toujours à vendre.', 'Le {truck} est à vendre en ce moment.'],
  best: {
    price: 'De ceux-ci, le {truck} est le moins cher.',
    mileage: 'De ceux-ci, le {truck} a le moins roulé.',
  },
  ask: {
    use: ['Qu’allez-vous transporter ?', 'Ce sera pour quel genre de travail ?'],
    budget: ['Quel budget avez-vous en tête ?', 'Environ combien voulez-vous mettre ?'],
    body: [
      'Que vous faut-il : avec couchette, sans couchette, un camion cube, une benne ?',
      'Quel genre de camion vous faut-il ?',
    ],
    mileage: ['Quel kilométrage maximum vous conviendrait ?', 'Avez-vous un kilométrage maximum en tête ?'],
    place: ['Où aimeriez-vous venir le chercher ?', 'Dans quelle région êtes-vous ?'],
  },
  dealer: {
    hours: ['Voici nos heures : {value}.', 'Nos heures d’ouverture : {value}.'],
    place: ['Vous nous trouverez au {value}.', 'Nous sommes au {value}.'],
    contact: ['Pour nous joindre : {value}.', 'Nos coordonnées : {value}.'],
  },
  dealerMissing: 'Je n’ai pas cette information sous la main.',
  refer: {
    finance: 'Pour le financement, parlez-en à notre équipe.',
    trade_in: 'Pour l’échange de votre camion, parlez-en à notre équipe.',
    discount: 'Je n’ai que le prix affiché ; parlez-en à notre équipe.',
    warranty: 'Notre équipe vous dira s’il y a une garantie.',
    delivery: 'Notre équipe vous renseignera sur la livraison.',
    inspection: 'Pour faire inspecter le camion, voyez avec notre équipe.',
    documents: 'Notre équipe vous renseignera sur les papiers du camion.',
    other: 'Notre équipe se fera un plaisir de vous aider.',
  },
  callOrLeave: 'Appelez au {phone} ou laissez vos coordonnées ici.',
  leaveDetails: 'Laissez vos coordonnées ici et nous vous recontacterons.',
  decline: [
    'Je peux seulement vous aider avec les camions de {dealer}.',
    'Je ne peux pas vous aider là-dessus ; je connais les camions à vendre chez {dealer}.',
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
