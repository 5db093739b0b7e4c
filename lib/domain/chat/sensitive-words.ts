/**
 * What touches money, obligations, dates or contact, in English, Spanish and French: lower case, without accents and
 * hyphens, `*` for any ending. Comma-separated; a line for each subject and language.
 */

/** Harmless in these words; looked at first. */
export const EXCEPTIONS = phrases(`
  feel free, free to, city deliver*, local deliver*, regional deliver*, delivery work, delivery route*, delivery truck*, delivery job*,
  pick up truck*, garantie de satisfaction
`);

/** May be mentioned to refer the visitor to the dealer; a statement about it must stand in the facts. */
export const DEFERRABLE = phrases(`
  financ*, loan, loans, lend*, credit*, lease, leases, leased, leasing, rent, rents, rental*, rented, renting, apr, interest free, interest rate*,
  no interest, low interest, zero interest, without interest, any interest, % interest, rate, rates, payment*, pay, pays, paying, paid, installment*,
  deposit*, down payment*, money, nothing down, upfront, bank, banks, tax, taxes, fee, fees, qualif*, per month, a month, each month, every month, per week, each week, every week,
  prestamo*, arrend*, mensual*, enganche*, cuota*, cuenta, cuentas, anticipo*, abono*, pago, pagos, paga, pagar, pague, pagamos, pagarlo, sin intereses, de intereses,
  tasa, tasas, dinero, banco*, impuesto*, al mes, por mes, por semana, poco a poco,
  pret, prets, taux, acompte*, apport*, versement*, louer, payer, payez, paye, argent, banque*, frais, par mois, par semaine,
  discount*, rebate*, negoti*, haggl*, trade in*, trade, trades, cash, bonus, coupon*, promo*, reduc*, an offer, your offer, my offer, offer me, flexible, instead, elsewhere, seller*,
  descuent*, rebaj*, oferta*, cupon*, negoci*, efectivo, se puede hablar, remise*, rabais, comptant, discuter, arranger,
  warrant*, money back, coverage, cover, covers, covered, refund*, return, returns, insur*, protection plan*, service plan*, repair*, fix, fixes, fixed, rebuilt, overhaul*, replaced, inspect*, accident*,
  garant*, reembols*, devol*, devuelv*, repar*, descompon*, rembours*, assurance*, casse,
  reserv*, hold it, hold this, hold one, hold that, held, on hold, keep it, deliver*, ship, ships, shipped, shipping, pick it up, pick up, picked up, pick one up, arriv*, on its way,
  test drive*, appointment*, open, sold out, plenty of those, plenty of them, your door, online,
  entreg*, envio, envios, enviar, enviamos, enviado, aparto, apartar, apartamos, apartado, recoger, llega, llegan, llegada, llegaron, llegaran, prueba de manejo, cita, citas, abiert*, vendid*, su casa, en linea,
  livrer, livrons, livrez, livraison*, livre, essai routier, rendez vous, ouvert*, chez vous, en ligne
`);

/** Said only as it stands in the facts, in questions and referrals too. */
export const UNDEFERRABLE = phrases(`
  free, gift*, on us, on the house, at cost, guarant*, promis*, approv*, accept, accepts, accepted, agree, agrees, agreed, deal, deals, binding, contract, contracts, certifi*,
  we buy, match any, match every, match the, beat, beats, throw in, throws in, thrown in, throw in, knock, knocks, save, saves, saving*, bargain*, below market, market value,
  for less, take less, but for you, takes less, you less, come down, better on, anywhere else, cheaper than any*, cheaper than every*, cheaper than the rest, cheaper than others,
  put your name, name on it, last one, last chance, hurry, will not last, won't last, act now, limited time, only today, today only, somebody else, someone else, always says,
  yours, good as new, like new, peace of mind, be ready, be delivered, be installed, be replaced, consider it,
  gratis, regal*, promet*, promesa*, garantiz*, garantizado*, aprob*, acept*, acepto, trato hecho, vinculante, contrato*, compramos, igualamos, ahorr*, su nombre, mejoro, listo el,
  gratuit*, cadeau*, offrons, garanti, garantis, promess*, approuv*, accepte, acceptons, marche conclu, contraignant*, contrat, contrats, reprenons, economisez, baiss*, de cote, moins que le prix,
  half, double, couple thousand, couple of thousand, couple hundred, couple of hundred, couple grand, couple 1000, few thousand, few hundred, few grand, few 1000, few 100, thousands, hundreds, millions,
  twenties, thirties, forties, fifties, sixties, seventies, eighties, nineties, a buck, a dollar, a cent, a penny, a dime, top dollar,
  best price*, good price*, low price*, lower price*, lowest price*, better price*, special price*, best offer*, special offer*,
  mitad, doble, buen precio, mejor precio, precio bajo, precio mas bajo, moitie, bon prix, meilleur prix, prix bas, prix plus bas,
  whatsapp, whats app, insta, telegram, signal, facebook, instagram, messenger, marketplace, craigslist, ebay, google, tiktok, wechat, skype, text me, message me, dm me, text the, inbox,
  my cell, my profile, my page, my number, my mail, my email, gmail, hotmail, yahoo, zelle, paypal, venmo, cash app, cashapp, bitcoin*, crypto*, western union, wire, virement, transferencia, account, accounts, compte,
  slash, arroba, arobase, dot com, dot net, dot org, punto com, point com, point fr, point net,
  monday*, tuesday*, wednesday*, thursday*, friday*, saturday*, sunday*, tomorrow, tonight, noon, midnight, weekend, next week, next month, next year,
  january, february, april, june, july, august, september, october, november, december, in may, on may, by may, until may, in march, on march, by march, until march,
  lunes, martes, miercoles, jueves, viernes, sabado, domingo, manana, fin de semana, proxima semana, proximo mes, enero, febrero, abril, junio, julio, agosto, septiembre, octubre, noviembre, diciembre,
  lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche, demain, semaine prochaine, mois prochain, prochaine semaine, janvier, fevrier, avril, juin, juillet, aout, septembre, octobre, novembre, decembre
`);

/** What makes a mention in a referral or a question a promise. */
export const COMMITMENTS = phrases(`
  comes with, come with, includ*, easy, easily, every*, instant, unlimited, lifetime, our own, our low, our zero, our full, our extended,
  we have, we offer, we finance, we lease, we cover, we include, we provide, can get, will get, can have, they have, they offer, they give, they finance, team finances, dealer finances,
  team offers, dealer offers, team gives, can arrange, will arrange, can offer, will offer, can give, will give, will finance, can finance, will deliver, can deliver, will hold, will cover, will pay,
  inclu*, damos, ofrecemos, tenemos, hacemos, facil, cualquier*, todo, todos, donnons, avons, faisons, tout, facile
`);

function phrases(list: string): RegExp {
  const patterns = list
    .split(/[,\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
    .map((phrase) => phrase.replace(/\*/g, '\\w*'));
  return new RegExp(`(?<!\\w)(?:${patterns.join('|')})(?!\\w)`, 'g');
}
