import { toList, toTable } from '../text/table.ts';

/** Transmissions, drives, fuels and conditions: canonical value, then the words for it in English, Spanish and French. */
export const TRANSMISSIONS: Readonly<Record<string, readonly string[]>> = toTable({
  automatic: toList(`
    automatic, auto, automatica, automatico, automatique, powershift, push button, automatic transmission,
    autotransmission, transmision automatica, automatics, automaticos, automaticas, automatiques
  `),
  automated: toList(`
    automated, amt, automated manual, automatizada, automatizado, automatisee, robotisee
  `),
  manual: toList(`
    manual, stick, stick shift, standard transmission, manuelle, estandar, hand shift, transmision manual,
    transmision estandar, boite manuelle, manual transmission, manuals, manuales, manuelles
  `),
});

/** Names of transmissions, and how they are shifted. */
export const TRANSMISSION_NAMES: Readonly<Record<string, readonly string[]>> = toTable({
  automatic: toList('allison, rds, hs, torqshift, tremec, aisin'),
  automated: toList(`
    ultrashift, ultra shift, autoshift, auto shift, dt12, i shift, ishift, mdrive, m drive, endurant,
    procision, tx12, tx 12, s13, duonic
  `),
  manual: ['fuller manual'],
});

/** Numbers of gears that imply a manual transmission if nothing else is said. */
export const MANUAL_GEARS =
  /\b(?:8ll|(?:9|10|13|15|18)[ -]?(?:sp|spd|speed|speeds|vel|velocidades|vitesses))\b/i;

/** The kind that wins if a text names several: `18-speed automated`. */
export const TRANSMISSION_ORDER = ['automated', 'manual', 'automatic'] as const;

export const DRIVES: Readonly<Record<string, readonly string[]>> = toTable({
  '4x2': toList(`
    4x2, 4 x 2, 2wd, two wheel drive, 2 wheel drive, rwd, 2x4, rear wheel drive, single axle, eje sencillo,
    essieu simple
  `),
  '4x4': toList(`
    4x4, 4 x 4, 4wd, four wheel drive, awd, all wheel drive, cuatro por cuatro, 4 wheel drive
  `),
  '6x2': ['6x2', '6 x 2'],
  '6x4': toList(`
    6x4, 6 x 4, tandem, tandem axle, twin screw, doble eje, tandem drive, eje tandem, tandem axles,
    10 wheeler, 10 wheel, ten wheeler, ten wheel, 10 ruedas, 10 roues, dix roues, diez ruedas,
    tandem drive axle, double essieu, essieu double, essieux tandem, essieu tandem
  `),
  '6x6': ['6x6', '6 x 6'],
  '8x4': toList('8x4, 8 x 4, 12 roues, douze roues, twin steer, 12 ruedas'),
  '8x6': toList('8x6, 8 x 6, tri axle drive, tri drive, tridem, tridem drive'),
  '8x8': ['8x8', '8 x 8'],
  '10x4': ['10x4', '10 x 4'],
});

/** Wheels on the rear axle, each side. */
export const REAR_WHEELS: Readonly<Record<string, readonly string[]>> = toTable({
  dual: toList(`
    dually, drw, dual rear wheels, dual rear wheel, dual wheels, dual wheel, dual rear, doble rodado,
    doble rueda, rodado doble, roues jumelees, roues doubles, roues arriere doubles
  `),
  single: toList(`
    srw, single rear wheels, single rear wheel, single wheels, rodado sencillo, rodado simple, roues simples
  `),
});

export const FUELS: Readonly<Record<string, readonly string[]>> = toTable({
  diesel: toList(`
    dsl, diesel fuel, d, bio diesel, biodiesel, turbo diesel, ultra low sulfur diesel, petrodiesel, gazole,
    diesel b20
  `),
  gasoline: toList(`
    gas, petrol, unleaded, g, gasoline fuel, regular unleaded, gasolina, essence, gas engine, gasser, bencina
  `),
  electric: toList(`
    ev, bev, battery electric, electricity, battery, electrico, electrica, electrique, all electric,
    zero emission
  `),
  natural_gas: toList(`
    cng, lng, compressed natural gas, liquefied natural gas, ng, rng, gas natural, gnc, gaz naturel, gnl
  `),
  propane: toList('lpg, lp gas, autogas, liquefied petroleum gas, gas lp, propano, gpl'),
  hybrid: toList(`
    hev, phev, plug in hybrid, diesel hybrid, hybrid electric, diesel electric, hibrido, hybride
  `),
  hydrogen: toList('fuel cell, hydrogen fuel cell, fcev, hidrogeno, hydrogene'),
  flex_fuel: toList('e85, ffv, flex, flexible fuel, ethanol, flex fuel'),
});

/** Engine codes by maker: dealers often write only the code, buyers the maker. */
export const ENGINE_CODES: Readonly<Record<string, RegExp>> = toTable({
  Cummins: /\b(?:is[bclmx]e?\d*n?|x1[025]n?|b[67]\.\d|l9n?|n14|m11)\b/,
  Detroit: /\b(?:dd(?:5|8|1[356])|series 60)\b/,
  Paccar: /\b(?:mx-?1[13]|px-?[5-9])\b/,
  Caterpillar: /\b(?:c-?(?:7|9|1[0-8])|3126[be]?|3176|3406[a-e]?)\b/,
  Mack: /\b(?:mp-?(?:7|8|10)|e7)\b/,
  Volvo: /\b(?:d-?1[1236]|ved-?12)\b/,
  International: /\b(?:dt-?(?:466|570)e?|maxxforce|a26|s13)\b/,
  Isuzu: /\b(?:[46]h[ek]1|4jj1)\b/,
});

/** Natural-gas engines of makers that also build diesels. */
export const GAS_ENGINES =
  /\b(?:isl-? ?g|isx-?12-? ?[ng]|isb-?6\.7-? ?[ng]|[lx]\d{1,2}-?n|b6\.7-?n|[cl]ng|natural gas|westport)\b/;

/** Engine makers and families that imply diesel if nothing else is said. */
export const DIESEL_ENGINES =
  /\b(?:cum(?:mins)?|detroit|paccar|cat(?:erpillar)?|power ?stroke|psd|duramax)\b/;

/** Colors as buyers say them, the English word that listings hold first. */
export const COLOR_FORMS: readonly string[][] = toList(`
  white/blanco/blanca/blanc/blanche, black/negro/negra/noir/noire, red/rojo/roja/rouge, blue/azul/bleu/bleue,
  green/verde/vert/verte, yellow/amarillo/amarilla/jaune, gray/grey/gris/grise, silver/plateado/plata/argent,
  orange/naranja/anaranjado, brown/cafe/marron/brun/brune, purple/morado/violet/violeta
`).map((forms) => forms.split('/'));

/** Words of a query that do not describe a truck. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  [
    'truck trucks work troca trocas camioneta camionetas camion camiones camions vehicle vehicles vehiculo vehiculos unit units for sale in the a an with w and or of on at',
    'my me i is are be to looking look need want wanted show find buy any some have has do you your please near by around from commercial',
    'de del con en el la los las un una unos y o para venta se busco quiero necesito que por al le les des du au aux avec pour et ou',
    'vendre je cherche veux dans sur cheap good great best nice clean barato bon ft foot feet pies pieds mile miles mi engine motor moteur',
    'transmission transmision model modelo modele year body low km kms kilometers kilometros kilometrage low miles mileage kilometraje millas listing inventory stock price priced dollars dolares dollar usd',
    'this that these those it its still available availability disponible disponibles aun todavia este esta esto ce cette encore toujours',
    'can could would give tell more info information about hello hi hola bonjour thanks thank gracias merci how much does cost',
  ].flatMap((line) => line.split(' ')),
);

/** Equipment with several names or spellings: a search for one finds all of its line. */
export const SAME_EQUIPMENT: readonly (readonly string[])[] = [
  'lift gate, liftgate, tail lift, taillift, tommy gate, tommygate, hayon, rampa hidraulica',
  'rail gate, railgate',
  'wet kit, wetkit, wet line, wetline',
  'jake, jake brake, jakebrake, engine brake, freno de motor, frein moteur',
  'air ride, airride, air suspension, suspension neumatica, suspension pneumatique',
  'flat top, flattop',
  'hot shot, hotshot',
  'double bunk, dbl bunk, bunk beds',
  'goose neck, gooseneck',
  'tool box, toolbox, tool boxes, toolboxes',
  'wheel lift, wheellift',
  'power stroke, powerstroke, psd',
  'duramax, dmax',
  'dt466, dt 466, dt466e',
  'fifth wheel, 5th wheel',
  'diff lock, diff locks, locking diff, locking diffs, differential lock, locking differential, locking differentials, full lockers, lockers',
].map((line) => line.split(', '));
