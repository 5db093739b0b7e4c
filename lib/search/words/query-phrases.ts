import { CANADIAN_PROVINCES, MEXICAN_STATES, PLACES_NAMED_NEW, US_STATES } from '../../truck/place/places.ts';
import { CABS } from '../../truck/vocabulary/bodies.ts';
import { type Phrases, toPhrases } from '../../truck/vocabulary/phrases.ts';
import { DRIVES, FUELS, REAR_WHEELS, TRANSMISSIONS } from '../../truck/vocabulary/short-terms.ts';
import type { QueryFilters } from '../request.ts';
import { UNKNOWN_CONDITION } from './listing-terms.ts';

/**
 * What the words of a query mean, in English, Spanish and French. Blanks, hyphens, accents and capitals do not matter,
 * and of several phrases that begin with a word the longest counts.
 */

export interface Meaning {
  /** `filter`, or the part that the words have in a sentence: `not`, `bound`, `unit` … */
  kind: string;
  name: string;
  /** The filter that the words are by themselves. */
  filters: QueryFilters;
}

/**
 * `kind name filter values | phrases`. A bound counts from the year or class that is so many on: after 2018 is from 2019,
 * over class 6 from class 7. Of an `ignored` unit listings have no field.
 */
const TABLE = `
not | no, not, nothing, none, pas, without, sin, sans, except, excepto, sauf, excluding, exclude, excluyendo, salvo
not | hormis, menos, moins
word | as is
or | or, o, ou, nor, ni
with | with, con, avec
to | to, and, a, al, y, et, through, thru
until max | until, hasta, up to, jusqu a
between | between, entre
bound max | at most, max, maximum, max of, maximum of, maximo, within, budget, budget of, presupuesto, au plus
bound max | tout au plus, a lo mas, a lo sumo, less, o menos, y menos, ou moins, et moins
bound max | older, earlier, anterior, plus vieux
bound max-0.5 | under, below, cheaper than, por debajo de, sous
bound max-1 | less than, menos de, menos que, moins de, moins que, older than, before, pre, anterior a, anteriores a
bound max-1 | antes de, avant, mas viejo que, mas viejos que, mas vieja que, mas viejo de, plus vieux que
bound min | at least, min, minimum, min of, minimum of, starting at, since, from, more, mas
bound min | minimo, desde, desde el, al menos, por lo menos, a lo menos, au moins, a partir de, depuis, up, newer
bound min | later, better, onward, onwards, mas nuevo, mas nuevos, mas nueva, mas nuevas, mas reciente, mas recientes
bound min | superior, superiores, posterior, posteriores, plus, plus recent, plus recents, plus recente, en montant
bound min | plus recentes, en adelante, para arriba, para aca, a la fecha
bound min+0.5 | over, above, mas de, plus de
bound min+1 | newer than, more than, after, mas nuevo que, mas nuevos que, mas nueva que, despues de, plus recent que
bound min+1 | apres
unit miles | mile, miles, mi, milla, millas, milles, mileage, millaje, odometer, odo, on it, on the clock, on clock
unit miles | on the odometer, on odometer, on the odo, on odo
unit km | km, kms, kilometer, kilometers, kilometre, kilometres, kilometro, kilometros, kilometraje, kilometrage
unit pounds | lb, lbs, pound, pounds, libra, libras, livre, livres
unit gross | gvw, gvwr, gross weight, gross vehicle weight, pbv, lb gvw, lb gvwr, lbs gvw, lbs gvwr, pounds gvw
unit gross | pounds gvwr, lb gross, lbs gross, lbs of gross weight, lbs gross weight, libras pbv
unit class | class, classes, clase, classe, cl
sign dollars | sign dollars
sign USD | sign usd, us sign dollars
sign CAD | sign cad
sign MXN | sign mxn
unit dollars | dollar, dollars, bucks
unit USD currency USD | usd, dlls, dolares, us dollar, us dollars, dollars us
unit CAD currency CAD | cad, cdn, dollars ca, dollars cad, dollars cdn, dollars can
unit MXN currency MXN | mxn, mxp, peso, pesos, peso mexicano, pesos mexicanos, dollars mx, dollars mxn
unit ignored | month, months, monthly, mo, a month, per month, mes, al mes, por mes, mois, par mois, week, a week, per week
unit ignored | axle, axles, diffs, front, fronts, rear, rears, front axle, front axles, rear axle, rear axles, rear end
unit ignored | rear ends, drive axle, drive axles, steer axle, steer axles, lift axle, tag axle, pusher axle, pusher, tag
unit ignored | lb axle, lb axles, lbs axle, lb front, lb rear, lb fronts, lb rears, lb front axle, lb rear axle, lb rear axles
unit ignored | lbs front, lbs rear, lbs rears, lbs front axle, lbs rear axle, lbs rear axles
unit ignored | euro, euros
unit ignored | inch ca, cab to axle, inch cab to axle
unit other | ft, foot, feet, gal, gallon, gallons, litro, litros, litre, litres, liter, liters, lt, lts, hp, kg
scale 1000 | k, thousand, grand, mil, mille
scale 1000000 | m, million, millions, millon, millones, mdp
number 0.5 | half a, medio, un demi
number 2 | two, dos, deux
number 10 | ten, diez, dix
number 15 | fifteen, quince, quinze
number 20 | twenty, veinte, vingt
number 30 | thirty, treinta, trente
number 40 | forty, cuarenta, quarante
number 50 | fifty, cincuenta, cinquante
number 60 | sixty, sesenta, soixante
number 70 | seventy, setenta
number 80 | eighty, ochenta
number 90 | ninety, noventa
number 100 | hundred, a hundred, one hundred, cien, cent
number 1000000 | a million, one million, un million, un millon
filter class class class_3 | class iii, class 3a, class 3b
filter class class class_4 | class iv, class 4a, class 4b
filter class class class_5 | class v, class 5a, class 5b
filter class class class_6 | class vi, class 6a, class 6b
filter class class class_7 | class vii, class 7a, class 7b
filter class class class_8 | class viii, class 8a, class 8b
filter class class class_3 | light duty
filter class class class_4 class_5 class_6 class_7 | medium duty, servicio mediano
filter class class class_7 class_8 | heavy duty, servicio pesado
filter class class class_3 class_4 class_5 class_6 | under cdl, non cdl, no cdl, sin cdl, sans cdl, not cdl, without cdl
filter class class class_3 class_4 class_5 class_6 | under a cdl, without a cdl, no cdl needed, no cdl required
filter class class class_3 class_4 class_5 class_6 | cdl not required, cdl not needed, cdl is not required, cdl is not needed
filter class class class_3 class_4 class_5 class_6 | doesn t need a cdl, don t need a cdl, not need a cdl, no need for a cdl
filter condition condition new | new, brand new, nuevo, nueva, nuevos, nuevas, neuf, neufs, neuve, neuves
filter condition condition used ${UNKNOWN_CONDITION} | used, pre owned, previously owned, second hand, certified, cpo, demo
filter condition condition used ${UNKNOWN_CONDITION} | usado, usada, usados, usadas, seminuevo, seminueva, seminuevos
filter condition condition used ${UNKNOWN_CONDITION} | seminuevas, usage, usages, usagee, usagees, occasion, d occasion
`;

/** To buyers a box that shifts itself is an automatic. */
const ALSO_AUTOMATIC = ['automatic', 'automated'];
const STATES = { ...MEXICAN_STATES, ...US_STATES, ...CANADIAN_PROVINCES };
const VOCABULARY = {
  cab: CABS,
  rear_wheels: REAR_WHEELS,
  drivetrain: DRIVES,
  transmission: TRANSMISSIONS,
  fuel_type: FUELS,
  state: STATES,
};
/** Shorter words are too many things: `d`, `g`, `ng`. */
const MIN_LENGTH = 3;
/** Kansas is a state, and not where Kansas City is; nothing is new in Nuevo Laredo. */
const PLACES = [
  ...Object.values(STATES).flatMap((state) => [`${state} city`, `${state} beach`]),
  ...PLACES_NAMED_NEW,
];

export const MEANINGS: Phrases<Meaning> = toPhrases(() => {
  const phrases: [string, Meaning][] = PLACES.map((place) => [
    place,
    { kind: 'word', name: '', filters: {} },
  ]);
  for (const [name, table] of Object.entries(VOCABULARY))
    for (const [value, words] of Object.entries<string | readonly string[]>(table))
      for (const phrase of [name === 'fuel_type' ? value : [], words].flat()) {
        const filters = { [name]: value === 'automatic' ? ALSO_AUTOMATIC : [value] };
        if (phrase.length >= MIN_LENGTH) phrases.push([phrase, { kind: 'filter', name, filters }]);
      }
  for (const line of TABLE.trim().split('\n')) {
    const [head = '', words = ''] = line.split(' | ');
    const [kind = '', name = '', filter = '', ...values] = head.split(' ');
    const filters = filter === '' ? {} : { [filter]: values };
    phrases.push(...words.split(', ').map((phrase): [string, Meaning] => [phrase, { kind, name, filters }]));
  }
  return phrases;
});
