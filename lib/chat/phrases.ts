import type { Locale } from '../truck/card/locale.ts';

/**
 * All that the chat says, in every language it speaks. Names in braces are filled in.
 */

const en = {
  language: 'English',
  greet: 'Hello, and welcome to {dealer}. What kind of truck are you looking for?',
  thank: 'You’re welcome.',
  goodbye: 'Thanks for stopping by. We are here when you need us.',
  found: 'I found {count} for you{criteria}',
  none: 'I find no such truck in our listings right now{criteria}',
  closest: 'I find no exact match in our listings right now{criteria}; here is what comes closest',
  similar: 'Here is what we have similar to the {truck}',
  these: 'Take a look at what we have',
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
  missing: 'I do not have this on file: {facts}. Our team can find out for you.',
  available: 'The {truck} is for sale right now.',
  lowest: { price: 'From the lowest price', mileage: 'From the lowest mileage' },
  ask: {
    use: 'What will you be hauling?',
    budget: 'What budget do you have in mind?',
    body: 'What do you need: a sleeper, a day cab, a box truck, a dump truck?',
    mileage: 'How many miles would be OK for you?',
    place: 'Where would you like to pick it up?',
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
  decline: 'I can only help with our trucks.',
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

/** Of another language, by the names of the English ones. `_` is a blank at an end. */
function translate(text: string): Phrases {
  const lines = text
    .trim()
    .split(/\n\s*/)
    .map((line) => line.split(/: (.*)/s, 2));
  const phrases: Record<string, string> = Object.fromEntries(lines);
  const fill = (words: object, path: string): object =>
    Object.fromEntries(
      Object.entries(words).map(([name, word]) => [
        name,
        typeof word === 'string' ? phrases[path + name]?.replaceAll('_', ' ') : fill(word, `${path}${name}.`),
      ]),
    );
  return fill(en, '') as Phrases;
}

const es = translate(`
  language: Spanish
  greet: Hola, le damos la bienvenida a {dealer}. ¿Qué tipo de camión busca?
  thank: De nada.
  goodbye: Gracias por su visita. Aquí estamos cuando nos necesite.
  found: Le encontré {count}{criteria}
  none: Por ahora no veo ningún camión anunciado así{criteria}
  closest: Por ahora no veo anunciado uno exactamente así{criteria}; esto es lo más parecido
  similar: Parecido al {truck} tenemos esto
  these: Mire lo que tenemos
  empty: Por ahora no tenemos camiones anunciados
  colon: :_
  among: , entre ellos_
  here: Aquí está
  nearest: Esto es lo más parecido
  one: un camión
  many: {n} camiones
  withPrice: el {truck} a {price}
  onRequest: el {truck} (precio a consultar)
  withMileage: _con {mileage}
  missing: No tengo registrado esto: {facts}. Nuestro equipo se lo averigua.
  available: El {truck} sigue en venta.
  lowest.price: Del precio más bajo al más alto
  lowest.mileage: Del que menos ha rodado al que más
  ask.use: ¿Qué va a transportar?
  ask.budget: ¿Qué presupuesto tiene en mente?
  ask.body: ¿Qué busca: con dormitorio, sin dormitorio, de caja, de volteo?
  ask.mileage: ¿Con cuántas millas o kilómetros como máximo lo busca?
  ask.place: ¿Dónde le gustaría recogerlo?
  dealer.hours: En este momento: {value}.
  dealer.place: Nuestra dirección: {value}.
  dealer.contact: Puede comunicarse con nosotros aquí: {value}.
  dealerMissing: No tengo ese dato a la mano; nuestro equipo le puede informar.
  refer.finance: El financiamiento lo puede platicar con nuestro equipo.
  refer.trade_in: Si quiere dar su camión a cuenta, platíquelo con nuestro equipo.
  refer.discount: Yo solo tengo el precio del anuncio; lo puede platicar con nuestro equipo.
  refer.warranty: Nuestro equipo le puede decir si tiene garantía.
  refer.delivery: Nuestro equipo le puede informar sobre la entrega.
  refer.inspection: Para revisar el camión, póngase de acuerdo con nuestro equipo.
  refer.documents: Nuestro equipo le puede informar sobre los papeles del camión.
  refer.other: Nuestro equipo le ayuda con mucho gusto.
  callOrLeave: Llame al {phone} o deje aquí sus datos.
  leaveDetails: Deje aquí sus datos y nos comunicamos con usted.
  decline: Solo le puedo ayudar con nuestros camiones.
  suggestions.sleepers: ¿Qué tractocamiones con dormitorio tienen?
  suggestions.similar: Muéstreme camiones similares
  suggestions.fewestMiles: ¿Cuál ha rodado menos?
  suggestions.cheapest: ¿Cuál es el más económico?
  suggestions.details: Cuénteme más de este camión
  suggestions.contact: Quiero que me contacten
`);

const fr = translate(`
  language: French
  greet: Bonjour et bienvenue chez {dealer}. Quel genre de camion cherchez-vous?
  thank: Je vous en prie.
  goodbye: Merci de votre visite. Nous sommes là quand vous voulez.
  found: J’ai trouvé {count} pour vous{criteria}
  none: Je ne vois aucun camion annoncé ainsi en ce moment{criteria}
  closest: Je ne vois rien d’annoncé qui soit exactement pareil{criteria}; voici ce qui s’en approche le plus
  similar: Voici ce que nous avons de semblable au {truck}
  these: Regardez ce que nous avons
  empty: Nous n’avons aucun camion annoncé en ce moment
  colon: \u00a0:_
  among: , entre autres_
  here: Le voici
  nearest: Voici ce qui s’en approche le plus
  one: un camion
  many: {n} camions
  withPrice: le {truck} à {price}
  onRequest: le {truck} (prix sur demande)
  withMileage: _avec {mileage} au compteur
  missing: Je n’ai pas cette information\u00a0: {facts}. Notre équipe peut vérifier pour vous.
  available: Le {truck} est toujours à vendre.
  lowest.price: Du moins cher au plus cher
  lowest.mileage: De celui qui a le moins roulé à celui qui a le plus roulé
  ask.use: Qu’allez-vous transporter?
  ask.budget: Quel budget avez-vous en tête?
  ask.body: Que vous faut-il\u00a0: avec couchette, sans couchette, un camion cube, une benne?
  ask.mileage: Quel kilométrage maximum vous conviendrait?
  ask.place: Où aimeriez-vous venir le chercher?
  dealer.hours: En ce moment\u00a0: {value}.
  dealer.place: Notre adresse\u00a0: {value}.
  dealer.contact: Pour nous joindre\u00a0: {value}.
  dealerMissing: Je n’ai pas cette information sous la main; notre équipe vous la donnera.
  refer.finance: Pour le financement, parlez-en à notre équipe.
  refer.trade_in: Pour l’échange de votre camion, parlez-en à notre équipe.
  refer.discount: Je n’ai que le prix affiché; parlez-en à notre équipe.
  refer.warranty: Notre équipe vous dira s’il y a une garantie.
  refer.delivery: Notre équipe vous renseignera sur la livraison.
  refer.inspection: Pour faire inspecter le camion, voyez avec notre équipe.
  refer.documents: Notre équipe vous renseignera sur les papiers du camion.
  refer.other: Notre équipe se fera un plaisir de vous aider.
  callOrLeave: Appelez au {phone} ou laissez vos coordonnées ici.
  leaveDetails: Laissez vos coordonnées ici et nous vous recontacterons.
  decline: Je peux seulement vous aider avec nos camions.
  suggestions.sleepers: Quels tracteurs avec couchette avez-vous?
  suggestions.similar: Montrez-moi des camions similaires
  suggestions.fewestMiles: Lequel a le moins roulé?
  suggestions.cheapest: Lequel est le plus abordable?
  suggestions.details: Dites-m’en plus sur ce camion
  suggestions.contact: J’aimerais qu’on me contacte
`);

export const PHRASES: Readonly<Record<Locale, Phrases>> = { en, es, fr };
