/**
 * What the chat may say without a source, in English, Spanish and French: lower case, without accents, elisions and
 * contractions written out. A sentence that needs another word needs it from the listing. So a word belongs here only if
 * no promise can be made of it; a word that is harmless in one phrase stands in `PHRASES` as that phrase.
 */

export const set = (...lines: string[]): ReadonlySet<string> => new Set(lines.join(' ').split(/\s+/));

/** Separated by commas; `(a|b)` is a choice, ` (a|b)?` and `(a )?` may be absent. The longest phrase wins. */
export function phrases(list: string): RegExp {
  const all = list.split(/[,\n]/).map((phrase) => phrase.trim());
  const longestFirst = all.filter((phrase) => phrase !== '').sort((a, b) => b.length - a.length);
  const patterns = longestFirst.map((phrase) =>
    phrase.replace(/ \(([^()]*[^() ])\)\?/g, '(?: (?:$1))?').replace(/\((?!\?)/g, '(?:'),
  );
  return new RegExp(`(?<= )(?:${patterns.join('|')})(?= )`, 'g');
}

/** Words that state nothing by themselves. */
export const WORDS = set(
  'a an the this that these those it its he they them their there here i me my we us our you your who what which how when where whether if',
  'is are was be am been has have can could may might would should and or but so as at in on of for from to by with about than also both one ones some first second third between per',
  'truck trucks vehicle vehicles unit tractor tractors lot stock inventory listing listings listed list page search found find show shows showing see look looked looking searched options option model models year years make makes',
  'features body size trim location city state wheelbase brand odometer usd engine motor transmission drivetrain gvwr color fuel horsepower hp lb lbs pounds inch inches speed gear class cab cabs number vin located powered runs',
  'team dealer form sales website details detail information question questions tell know understand help choice currently still',
  'el la los las un una uno unos unas lo le les se su sus este esta estos estas ese esa eso de del al a en con por para y o que es son esta estan hay he ha tengo tiene tienen tenemos puedo puede pueden muy tambien me mi nos nuestro nuestra nuestros usted ustedes aqui dos alguno alguna ambos sobre entre',
  'camion camiones tractocamion tractocamiones vehiculo vehiculos unidad lote inventario anuncio modelo modelos ano opcion opciones encontre formulario muestro mostrar buscar ver color pulgadas velocidades caballos clase numero numeros transmision traccion combustible sigue equipo concesionario detalles informacion dato pregunta preguntas decir',
  'le la les un une des du de d au aux ce cet cette ces se je me mon vous votre vos nous notre nos il elle ils elles on et ou que qui est sont a ai as avez avons ont peux peut pouvez pourra en y dans sur avec pour par aussi ici premier deuxieme entre chez',
  'camion camions tracteur tracteurs vehicule vehicules inventaire annonce modele modeles annee option options trouve trouves formulaire montrer voir chercher couleur moteur boite transmission pouces vitesses chevaux ch classe numero carburant toujours equipe concessionnaire details information question questions dire',
);

/** Words for what a truck costs and has run: only beside such a figure. */
export const MEASURES = set(
  'start starts price prices priced asking cost costs mileage mile miles precio precios cuesta cuestan vale millas millaje kilometraje prix coute coutent milles kilometrage',
);
/** Said of a truck that is named, or was named in the sentence before. */
export const OF_A_TRUCK = set('available disponible');
/** Beside `WORDS` in questions to the visitor. No offer can be made of them: prices and deeds stand in `ASKED` as phrases. */
export const ASKING = set(
  'do does need needs like know prefer important interest interests interested looking kind type sort routes route loads load weight hauling usually yourself fleet adding replacing budget range mind work suit well all me else similar bit compare many much any or is manual automatic local long distance trips city new want',
  'carga carretera region empresa marcas tamano alguna algun tiene disponible mas que cual cuanto como busca necesita necesitar prefiere quiere desea gustaria saber interesa presupuesto tipo peso viajes locales largos rutas marca comparar similares manual automatica',
  'devez chargement region entreprise taille avez disponible plus quel quelle quels comment charge cherchez besoin preferez voulez souhaitez savoir budget type trajets locaux longue distance marque comparer similaires manuelle automatique',
);

/** What a question asks of the visitor's own wishes and work, or offers to look up or to pass on. */
export const ASKED = phrases(`
  (how|what) (can|may) i (help|assist) you (with|find|today)?, anything else i can help (you )?with,
  (would you like|do you want) me to (show you|look for|search for|find|tell you|check|ask (the dealer|the team|our team)|pass your question on), (shall|should) i (show you|look for|search for|find|check|ask (the dealer|the team|our team)|pass your question on),
  (would you like|do you want) someone to contact you, (other|another|more|newer|older|cheaper) (box |dump |day cab |sleeper |flatbed )?(trucks|truck|tractors|tractor|options|listings), what else, tell me (a bit )?more about, a bit more about your work, your question,
  (do you have a|what is your) price range (in mind)?, (mileage or price|price or mileage) more important, is the (price or the mileage|mileage or the price) more important, how far, one truck or several, how many miles do you drive, (in )?a day, do you (usually )?(run|drive|haul|carry), you (usually )?(run|drive|haul|carry), need to (carry|haul), what will you (be )?(hauling|haul|carrying|carry), will you be (hauling|driving it yourself), should it have, would (a|an|the), (be )?all right, another make, another model, another year, or other makes,
  que va a (transportar|cargar|llevar), necesita (cargar|transportar|llevar), que alguien le contacte, (que )?le (pregunte|pregunto) a (nuestro|su) equipo (sobre)?, le (muestro|busco), le gustaria ver otros, ver otros, otros camiones, otra marca, kilometraje o precio, precio o millaje,
  que transportez vous, (devez|voulez) vous transporter, que (je|nous) (demande|demandions) a notre equipe (pour)?, voulez vous que je (cherche|montre), voir (de )?autres, autre marque, prix ou kilometrage
`);

/** Says that the inventory has nothing of the kind. */
export const NOT_FOUND = phrases(`
  (i|we) (currently )?(found no|do not have|did not find|could not find|do not see|have no|see no|can not find) (any|a|an)?, there (is|are) (currently )?no, right now, at the moment, in our inventory, that (match|matches), anything,
  no (encontre|tenemos|hay|veo) (ningun|ninguna)?, en este momento, en (el|nuestro) inventario,
  (je|nous) ne (ai|avons|vois) pas (trouve|de)?, je ne ai trouve (aucun|aucune), nous ne avons (aucun|aucune), il ne y a (pas|aucun|aucune), en ce moment, dans notre inventaire
`);

/** Says that something is not known. */
export const UNKNOWN = phrases(`
  (is|are) not (listed|shown|in our inventory), does not (show|mention|list|say), on request, prices can change,
  a consultar, no (indica|muestra|menciona), sur demande, ne indique pas, ne mentionne pas
`);

/** Harmless as they stand. */
export const PHRASES = phrases(`
  hi, hello, hey, hi there, good (morning|afternoon|evening), nice to meet you, welcome, welcome back, welcome to, you are welcome, thank you, thanks, thank you for your interest, thanks for (reaching out|the details), first of all, goodbye, bye, drive safely,
  have a (great|nice|good) day, if you like, if you want, i hope (this|that) helps, glad you asked, in particular, happy to help, glad to help, (i am|i would be) (happy|glad) to help, great choice, good choice, good question, sounds good, perfect thank you, got it, (sure )?let me, (sure|of course) let me (have a look|search|look|check|see), sure one moment, of course let me, no problem at all, take your time, one moment, please, sorry, i am sorry, sorry about that, unfortunately, ask away, how are you,
  let me (know|have a look|search|look|check|see), if you have any other questions, anything else, feel free to ask (me)?, ask me anything, i am here to help, help you find, the right truck, another one, the other one, (more|other) (details|information), (know|tell you) more, price range,
  i can only (help with|talk about), can not help with that, i can not (share|help with|answer) that, can not sign anything for you, automated assistant, assistant,
  do not have that, i do not (know|have) (that)?, i do not see that, according to the listing, the listing (says|mentions|shows), the dealer mentions,
  get back to you, will call you back, call you back, contact you, someone will call you, will (call you back|get back|contact|call|reach out), reach out to you, someone (from the team)?, somebody (from the team)?, (if you )?leave your (phone number|phone|name|email), (please )?leave your details, (just )?(fill out|use) the (contact )?form, the contact form, (you can|please) (call|reach|contact|write to|email) (us|the dealer|our team), (please )?call us, call, write to, please confirm with our team,
  good for, strong trucks for, ideal for, suits, better choice, usually, for long haul, long haul, long trips, (for|suits) local delivery (work)?, heavy loads, (helps with )?loading and unloading, easier to (drive|park), for more, for our hours, rest on the road, lets the driver, depends on, your routes and loads, your routes, your loads, your work, in the city, more comfortable, that may fit, comes with, best match, closest match, (that )?(match|matches) (your search|what you asked for), you asked for, i would recommend, compared with, range from, similar trucks,
  hola, buenos dias, buenas tardes, bienvenido a, bienvenida a, gracias, gracias por su interes, con mucho gusto, claro que si un momento, un momento, por favor, lo siento, no puedo ayudarle con eso, de nada, que tenga (un )?buen dia, en que puedo ayudarle, como le puedo ayudar, solo puedo ayudarle con, permitame, ayudarle,
  deje sus datos, deje su telefono, dejar su telefono en el formulario, se pondra en contacto, alguien (del equipo)?, le (llamara|contactara|contacte), (puede )?(llamarnos|escribanos|llamar|contactarnos) (al|a)?, el formulario de contacto, usar, visite, para mas informacion, darle mas detalles, (mas|otros) detalles, se lo puede confirmar, muy (buenos|buen|comodo), viajes largos, rutas largas, ideal para, no tengo ese dato, se encuentra en,
  bonjour, bonsoir, merci, merci de votre interet, bienvenue, avec plaisir, bien sur un instant, un instant, se il vous plait, desole, bonne journee, au revoir, je serais ravi de vous aider, puis je vous aider, je ne peux pas vous aider avec cela, je peux seulement vous aider avec, vous aider, laissez moi,
  laissez vos coordonnees, vous recontactera, etre contacte, (vous pouvez )?nous (appeler|ecrire|joindre), ecrivez nous, utiliser, le formulaire de contact, voyez, pour plus de informations, vous en dire plus, (en savoir|plus de) (plus|details), peut vous la confirmer, (de )?bons camions, confortable, la longue distance, qui pourraient convenir, voici, se trouve, je ne ai pas cette information
`);

/** The trade's words by their English name: in statements they must stand in the listing under it. */
export const TRADE: ReadonlyMap<string, string> = new Map(
  `sleeper dormitorio couchette|day|box caja fourgon|dump volteo benne|flatbed plataforma plateau|tank cisterna citerne|
  reefer refrigerado frigorifique|tow grua depanneuse|mixer mezcladora malaxeur|straight|diesel|gas gasolina essence|electric electrico electrique|
  automated automatizada automatisee|automatic automatica automatique|manual manuelle|used usado usada occasion usage|new nuevo nueva neuf|owner dueno proprietaire|solo seul|
  lift|gate|white blanco blanca blanc blanche|black negro negra noir noire|red rojo roja rouge|blue azul bleu bleue|green verde vert verte|gray grey gris|silver plateado argent|yellow amarillo jaune`
    .split('|')
    .flatMap((line) => {
      const [name = '', ...others] = line.trim().split(' ');
      return [name, ...others].map((word): [string, string] => [word, name]);
    }),
);
