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
  found: ['I found {count} for you{criteria}', 'Right now we have {count}{criteria}'],
  none: [
    'I find no such truck in our listings right now{criteria}',
    'Nothing of the kind is listed at the moment{criteria}',
  ],
  closest: [
    'I find no exact match in our listings right now{criteria}; here is what comes closest',
    'Nothing listed right now is an exact match{criteria}, but this comes closest',
  ],
  similar: ['Here is what we have similar to the {truck}', 'If you like the {truck}, have a look at this'],
  these: ['Take a look at what we have', 'Here is what I can show you', 'Have a look'],
  empty: 'We have no trucks listed right now',
  colon: ': ',
  among: ', among them ',
  here: 'Here it is',
  nearest: 'Here is what comes closest',
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
  lowest: { price: 'From the lowest price', mileage: 'From the lowest mileage' },
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
    hours: 'Right now: {value}.',
    place: 'Our location: {value}.',
    contact: 'Here is how to reach us: {value}.',
  },
  dealerMissing: 'I do not have that at hand; our team can tell you.',
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
    'I can only help with our trucks.',
    'I can’t help with that; what I know is the trucks that we have for sale.',
  ],
  suggestions: {
    sleepers: 'Which sleeper tractors do you have?',
    similar: 'Show me similar trucks',
    fewestMiles: 'Which one has the lowest mileage?',
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
  found: ['Le encontré {count}{criteria}', 'Ahorita tenemos {count}{criteria}'],
  none: [
    'Por ahora no veo ningún camión anunciado así{criteria}',
    'De momento no hay nada anunciado así{criteria}',
  ],
  closest: [
    'Por ahora no veo anunciado uno exactamente así{criteria}; esto es lo más parecido',
    'No veo uno igual entre nuestros anuncios{criteria}, pero esto es lo más parecido',
  ],
  similar: ['Parecido al {truck} tenemos esto', 'Si le gusta el {truck}, vea esto'],
  these: ['Mire lo que tenemos', 'Esto es lo que le puedo mostrar', 'Aquí tiene'],
  empty: 'Por ahora no tenemos camiones anunciados',
  colon: ': ',
  among: ', entre ellos ',
  here: 'Aquí está',
  nearest: 'Esto es lo más parecido',
  one: 'un camión',
  many: '{n} camiones',
  withPrice: 'el {truck} a {price}',
  onRequest: 'el {truck} (precio a consultar)',
  withMileage: ' con {mileage}',
  missing: [
    'No tengo registrado esto: {facts}. Nuestro equipo se lo averigua.',
    'Eso no lo tengo registrado ({facts}); nuestro equipo le puede informar.',
  ],
  available: ['El {truck} sigue en venta.', 'El {truck} está en venta ahorita.'],
  lowest: { price: 'Del precio más bajo al más alto', mileage: 'Del que menos ha rodado al que más' },
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
    hours: 'En este momento: {value}.',
    place: 'Nuestra dirección: {value}.',
    contact: 'Puede comunicarse con nosotros aquí: {value}.',
  },
  dealerMissing: 'No tengo ese dato a la mano; nuestro equipo le puede informar.',
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
    'Solo le puedo ayudar con nuestros camiones.',
    'Con eso no le puedo ayudar; yo conozco los camiones que tenemos en venta.',
  ],
  suggestions: {
    sleepers: '¿Qué tractocamiones con dormitorio tienen?',
    similar: 'Muéstreme camiones similares',
    fewestMiles: '¿Cuál ha rodado menos?',
    cheapest: '¿Cuál es el más económico?',
    details: 'Cuénteme más de este camión',
    contact: 'Quiero que me contacten',
  },
};

const fr: Phrases = {
  language: 'French',
  greet: [
    'Bonjour et bienvenue chez {dealer}. Quel genre de camion cherchez-vous?',
    'Bonjour, ici {dealer}. Comment pouvons-nous vous aider?',
    'Bienvenue chez {dealer}. Dites-moi à quoi servira le camion et je regarde ce que nous avons.',
  ],
  thank: ['Je vous en prie.', 'Avec plaisir.', 'Ça me fait plaisir.'],
  goodbye: [
    'Merci de votre visite. Nous sommes là quand vous voulez.',
    'À bientôt, revenez quand vous voulez.',
    'Au revoir et bonne route.',
  ],
  found: ['J’ai trouvé {count} pour vous{criteria}', 'En ce moment, nous avons {count}{criteria}'],
  none: [
    'Je ne vois aucun camion annoncé ainsi en ce moment{criteria}',
    'Rien d’annoncé de ce genre pour le moment{criteria}',
  ],
  closest: [
    'Je ne vois rien d’annoncé qui soit exactement pareil{criteria}; voici ce qui s’en approche le plus',
    'Rien d’annoncé d’exactement pareil pour le moment{criteria}, mais voici ce qui s’en approche le plus',
  ],
  similar: [
    'Voici ce que nous avons de semblable au {truck}',
    'Si le {truck} vous plaît, regardez aussi ceci',
  ],
  these: ['Regardez ce que nous avons', 'Voici ce que je peux vous montrer', 'Jetez un coup d’œil à ceci'],
  empty: 'Nous n’avons aucun camion annoncé en ce moment',
  colon: '\u00a0: ',
  among: ', entre autres ',
  here: 'Le voici',
  nearest: 'Voici ce qui s’en approche le plus',
  one: 'un camion',
  many: '{n} camions',
  withPrice: 'le {truck} à {price}',
  onRequest: 'le {truck} (prix sur demande)',
  withMileage: ' avec {mileage} au compteur',
  missing: [
    'Je n’ai pas cette information\u00a0: {facts}. Notre équipe peut vérifier pour vous.',
    'Je n’ai pas cette information ({facts}); notre équipe pourra vous répondre.',
  ],
  available: ['Le {truck} est toujours à vendre.', 'Le {truck} est à vendre en ce moment.'],
  lowest: {
    price: 'Du moins cher au plus cher',
    mileage: 'De celui qui a le moins roulé à celui qui a le plus roulé',
  },
  ask: {
    use: ['Qu’allez-vous transporter?', 'Ce sera pour quel genre de travail?'],
    budget: ['Quel budget avez-vous en tête?', 'Environ combien voulez-vous mettre?'],
    body: [
      'Que vous faut-il\u00a0: avec couchette, sans couchette, un camion cube, une benne?',
      'Quel genre de camion vous faut-il?',
    ],
    mileage: ['Quel kilométrage maximum vous conviendrait?', 'Avez-vous un kilométrage maximum en tête?'],
    place: ['Où aimeriez-vous venir le chercher?', 'Dans quelle région êtes-vous?'],
  },
  dealer: {
    hours: 'En ce moment\u00a0: {value}.',
    place: 'Notre adresse\u00a0: {value}.',
    contact: 'Pour nous joindre\u00a0: {value}.',
  },
  dealerMissing: 'Je n’ai pas cette information sous la main; notre équipe vous la donnera.',
  refer: {
    finance: 'Pour le financement, parlez-en à notre équipe.',
    trade_in: 'Pour l’échange de votre camion, parlez-en à notre équipe.',
    discount: 'Je n’ai que le prix affiché; parlez-en à notre équipe.',
    warranty: 'Notre équipe vous dira s’il y a une garantie.',
    delivery: 'Notre équipe vous renseignera sur la livraison.',
    inspection: 'Pour faire inspecter le camion, voyez avec notre équipe.',
    documents: 'Notre équipe vous renseignera sur les papiers du camion.',
    other: 'Notre équipe se fera un plaisir de vous aider.',
  },
  callOrLeave: 'Appelez au {phone} ou laissez vos coordonnées ici.',
  leaveDetails: 'Laissez vos coordonnées ici et nous vous recontacterons.',
  decline: [
    'Je peux seulement vous aider avec nos camions.',
    'Je ne peux pas vous aider là-dessus; je connais les camions que nous avons à vendre.',
  ],
  suggestions: {
    sleepers: 'Quels tracteurs avec couchette avez-vous?',
    similar: 'Montrez-moi des camions similaires',
    fewestMiles: 'Lequel a le moins roulé?',
    cheapest: 'Lequel est le plus abordable?',
    details: 'Dites-m’en plus sur ce camion',
    contact: 'J’aimerais qu’on me contacte',
  },
};

export const PHRASES: Readonly<Record<Locale, Phrases>> = { en, es, fr };
