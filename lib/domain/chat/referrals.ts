import { phrases, set } from './spoken-words.ts';

/**
 * What is said of financing, warranty, accidents and the like: only as the object of a whole clause that sends the visitor
 * to the dealer, offers to pass a question on, or refuses. Each phrase here is such a clause; none may state anything.
 */

const TOPICS = set(
  'financing finance payment payments lease leasing credit loan terms deposit tax taxes fee fees trade trades ins warranty warranties coverage insurance maintenance repair repairs condition history accident accidents owners inspection title delivery shipping date dates pickup reservation reservations hours opening appointment test axle ratio tires drive final truck trucks price options details information question questions',
  'financiamiento pago pagos credito enganche garantia garantias seguro entrega envio entregas horario cita mantenimiento estado historial accidentes duenos camion precio',
  'financement paiement paiements credit apport reprise garantie garanties assurance livraison livraisons horaires entretien etat historique accidents camion prix',
);
/** What a dealer might give: refused or asked about, since “for a discount, call us” promises one. */
const CONCESSIONS = set(
  'discount discounts offer offers negotiation guarantee guarantees quote quotes promise promises reserve',
  'descuento descuentos oferta ofertas remise remises offre offres',
);
/** What joins topics: no verb, no negation, no quantity. */
const GLUE = set(
  'a an the this that these them its your of for on about in and or el la los las un una de del para sobre y o su este le les une des du pour sur et ou ce votre',
);
const ABOUT = set('about on regarding sobre acerca sur');
const FOR = set('for para pour');
/** How what a referral is about begins when it stands before it. */
const LEADS = set('about regarding for sobre acerca para pour');

/** “The accidents of this truck” and “your discount” say that there are some; `los`, `les` do not. */
const PRESUMED = set(
  'accident accidents repair repairs discount discounts offer offers guarantee guarantees promise promises descuento descuentos oferta ofertas remise remises offre offres accidentes',
);
const DEFINITE = set('the this that these its your el la su este le votre ce');
const INDEFINITE = set('a an un una une');
/** “For a trade-in, call us” promises none; “help you with a warranty” does. */
const ARRANGED = set('trade test appointment cita reprise');
/** `The accident history` presumes none. */
const KINDS = set('history condition terms information details');

const WHO = '(our|the|your) (sales )?(team|dealer|dealership)';
const WHO_ES = '(nuestro equipo|el concesionario)';
const WHO_FR = '(notre equipe|le concessionnaire)';

/** Followed by nothing, or by what it is about. */
const REFERRALS = phrases(`
  (you would have to |you can |you could |feel free to )?(ask|contact|call|consult|check with|confirm with) (${WHO}|us) (to ask)?, (you can )?use the contact form (to ask)?, (i can|let me) ask ${WHO}, i am not sure,
  (i|we) (would )?(recommend|suggest) (asking|contacting|calling) ${WHO}, it is best to (ask|contact|call) ${WHO},
  ${WHO} (would know|will know|would be able to tell you|will be able to tell you), ${WHO} can (tell you|confirm the final price|confirm the price|confirm that|confirm|answer questions|answer your questions|answer that|answer|reach out to you|help you|help),
  (would you like|do you want) me to (ask|contact|check with) ${WHO}, (would you like|do you want) me to pass (your question|that|this|it) on, (would you like|do you want) me to pass (your question|that|this|it) on to ${WHO}, (should|shall|can|may) i (ask|contact|check with) ${WHO},
  i do not know, i do not have (any )?(information|details), i do not have the opening hours, i (can not|am not able to|am unable to) (say|tell you|tell from the listing|tell|confirm|answer),
  (consulte|pregunte|hable|llame) (con )?(a )?nuestro equipo, (consulte|pregunte) (al|con el) concesionario, ${WHO_ES} puede (responder|ayudarle|decirle mas), no tengo (informacion|datos|ese dato|detalles), no se si el precio es negociable, (quiere|desea) que (le )?pregunte (a nuestro equipo|al concesionario),
  (demandez|parlez|appelez) (a )?(avec )?notre equipe, demandez au concessionnaire, ${WHO_FR} (peut|pourra) (repondre a vos questions|repondre|vous aider|vous renseigner), je ne ai pas (de )?(information|informations|details), (voulez|souhaitez) vous que je demande (a notre equipe|au concessionnaire)
`);
/** Followed by a topic. */
const HELP = phrases(`
  ${WHO} can (help with|help you with|discuss|explain), ${WHO_ES} puede explicarle, ${WHO_ES} puede (decirle|confirmarle) si (el camion )?(ha tenido|tiene), no se si (el camion )?(ha tenido|tiene), ${WHO_FR} (peut|pourra) vous dire si (le camion|il) a eu
`);
/** Followed by what is refused. */
const REFUSALS = phrases(`
  i (can not|could not|am not able to|am unable to) (offer|quote|discuss|reserve|help with|make|confirm|promise),
  no puedo (ofrecer|confirmar|prometer|reservar), je ne peux pas (offrir|confirmer|promettre|reserver)
`);
/** Followed by what the listing does not say. */
const SILENCE = phrases('the listing does not (mention|say), the details i have do not include');
/** What a question asks, so that it states nothing. */
const ASKED = phrases(`
  whether (it|the truck|this truck) has (had|been in)?, whether (the price|it) is negotiable, how many owners it has had, whether (a|the) (warranty|title|delivery) is included
`);
/** Says and joins, wherever it stands. */
const COURTESY = phrases(`
  hello, hi, hi there, please, sorry, i am sorry, unfortunately, of course, (that is a )?good question, thank you, thanks, with you, for you, directly, at, pero, por favor, mais, but, so, and, y, et
`);

/** Upper case, which no sentence in `toWords` has. */
const HEADS: readonly (readonly [RegExp, string])[] = [
  [REFUSALS, 'REFUSED'],
  [SILENCE, 'SILENT'],
  [HELP, 'HELP'],
  [REFERRALS, 'REFERRED'],
  [ASKED, 'about'],
];

/** True when the words are nothing but referrals and refusals, each with its topics. */
export function isReferral(words: string, isMentioned: (stem: string) => boolean): boolean {
  let text = words;
  for (const [pattern, head] of HEADS) text = text.replace(pattern, head);
  const clauses = text
    .split(/(?<= )(?=[A-Z])/)
    .map((clause) => withoutCourtesy(clause).split(' '))
    .filter(([head]) => head !== '');
  return /[A-Z]/.test(text) && clauses.every((clause) => isClause(clause, isMentioned));
}

function isClause(
  [head = '', ...object]: readonly string[],
  isMentioned: (stem: string) => boolean,
): boolean {
  const [first = ''] = object;
  const isAsked = head === 'REFERRED' && (first === '' || ABOUT.has(first));
  const isTopical = head === 'HELP' || LEADS.has(head) || (head === 'REFERRED' && FOR.has(first));
  const mayRefuse = head === 'REFUSED' || head === 'SILENT';
  if (!isAsked && !isTopical && !mayRefuse) return false;
  return object.every((word, at) => {
    const isPresumed = DEFINITE.has(object[at - 1] ?? '') && PRESUMED.has(word);
    if (isPresumed && !KINDS.has(object[at + 1] ?? '')) return false;
    if (GLUE.has(word)) return true;
    if (isTopical && INDEFINITE.has(object[at - 1] ?? '') && !ARRANGED.has(word)) return false;
    if (head === 'SILENT' && isMentioned(word.replace(/(?:y|ies|s)$/, ''))) return false;
    // “about a discount”; further on it may be a claim: “on this truck a discount”.
    return TOPICS.has(word) || (CONCESSIONS.has(word) && (mayRefuse || (isAsked && at <= 2)));
  });
}

const withoutCourtesy = (clause: string): string =>
  ` ${clause} `.replace(COURTESY, '').replace(/ +/g, ' ').trim();
