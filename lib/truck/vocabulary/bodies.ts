import type { BLOCKED_BODIES } from '../fields.ts';
import { toList, toPairs, toTable } from '../text/table.ts';
import { BODY_TABLE } from './body-table.ts';

/** One body of the table. */
export interface Body {
  name: string;
  family: string;
  /** True if its prices are compared with those of other such bodies of its family. */
  isPricedWithFamily: boolean;
  /** Names in English, Spanish and French. */
  names: readonly [en: string, es: string, fr: string];
  spellings: readonly string[];
  /** Spellings that count only if they are the whole text. */
  wholeSpellings: readonly string[];
  /** Names of products of this kind, which count only if nothing else names a body. */
  products: readonly string[];
}

export const BODIES: ReadonlyMap<string, Body> = parseTable(BODY_TABLE);

function parseTable(table: string): ReadonlyMap<string, Body> {
  const bodies = new Map<string, Body>();
  for (const block of table.trim().split(/\n(?! )/)) {
    const [head = '', ...lines] = block.split('\n');
    const [name = '', family = '', en = '', es = '', fr = ''] = head.split(' | ');
    const spellings = lines.flatMap((line) => line.split(',').map((spelling) => spelling.trim()));
    const marked = (mark: string) =>
      spellings.filter((spelling) => spelling.startsWith(mark)).map((spelling) => spelling.slice(1));
    bodies.set(name, {
      name,
      family: family.replace('*', ''),
      isPricedWithFamily: family.endsWith('*'),
      names: [en, es, fr],
      spellings: [name, en, es, fr, ...spellings.filter((spelling) => /^[^=~]/.test(spelling))],
      wholeSpellings: marked('='),
      products: marked('~'),
    });
  }
  return bodies;
}

/** Returns the family or body within which prices are compared. */
export function toComparableBody(body: string): string {
  const entry = BODIES.get(body);
  return entry?.isPricedWithFamily ? entry.family : body;
}

/** Abbreviations of dealers' systems. */
export const ABBREVIATIONS: Readonly<Record<string, string>> = toTable(
  toPairs(`
    trk truck, trks truck, trck truck, slpr sleeper, slper sleeper, svc service, serv service, srvc service,
    util utility, utl utility, mech mechanic, str straight, strt straight, refr reefer, rfr reefer,
    reefr reefer, refrig refrigerated, bx box, fltbd flatbed, fltbed flatbed, flt flat, pltfrm platform,
    dmp dump, chas chassis, chss chassis, chs chassis, bdy body, trctr tractor, tractr tractor,
    trac tractor, wrckr wrecker, wrkr wrecker, rllbk rollback, lndscp landscape, stk stake, pmpr pumper,
    mxr mixer, tnkr tanker, swpr sweeper, bckt bucket, pkup pickup, psgr passenger, grbg garbage, vn van,
    shtl shuttle
  `),
);

/** Words for cabs, by the name of the cab in answers. */
export const CABS: Readonly<Record<string, readonly string[]>> = toTable({
  'Crew cab': toList(`
    crew cab, crewcab, double cab, doble cabina, cabine double, quad cab, supercrew, crewmax
  `),
  'Extended cab': ['extended cab', 'ext cab', 'super cab', 'supercab', 'king cab', 'club cab', 'access cab'],
  'Regular cab': ['regular cab', 'reg cab', 'single cab', 'standard cab', 'std cab', 'cabina sencilla'],
  'Mega cab': ['mega cab', 'megacab'],
  'Low cab forward': toList(`
    low cab forward, lcf, cab over, cabover, coe, cab over engine, tilt cab, cabina adelantada
  `),
});

/**
 * The words of the blocked consumer bodies (contract section 2). A text names one only if all its words are in
 * this table: a station wagon body shop, a sport utility truck and a passenger van do not.
 */
export const CONSUMER_WORDS = {
  sedan: ['sedan', 'sdn', 'saloon', 'berline', 'notchback', 'car', 'passenger car', 'pass car', 'automobile'],
  suv: toList(`
    suv, sport utility, sport utility vehicle, sports utility, sports utility vehicle, sport ute, sport util,
    vus, sav, multi purpose vehicle, multipurpose vehicle, mpv, sport activity vehicle, camioneta suv,
    vehiculo utilitario deportivo, utilitario deportivo, vehicule utilitaire sport, utilitaire sport,
    todoterreno
  `),
  coupe: ['coupe', 'cupe', 'cpe'],
  crossover: toList(`
    crossover, cuv, crossover utility, crossover utility vehicle, cross over, xover, multisegmento,
    multisegment
  `),
  hatchback: ['hatchback', 'liftback', 'hatch', 'hayon', 'compacto hatchback', 'hbk', 'htchbk', 'hb'],
  convertible: toList(`
    convertible, cabriolet, roadster, spyder, spider, cabrio, descapotable, decapotable, targa, drop top,
    ragtop, rag top
  `),
  minivan: toList(`
    minivan, mini van, minivan van, mini fourgonnette, minifourgonnette, fourgonnette familiale, monovolumen
  `),
  wagon: toList(`
    wagon, station wagon, wgn, sta wgn, stn wgn, sta wagon, estate, sport wagon, sportwagon, familiale,
    familiar, guayin, vagoneta
  `),
} as const satisfies Record<(typeof BLOCKED_BODIES)[number], readonly string[]>;

/** Words beside a consumer body that do not make it another one. */
export const CONSUMER_MODIFIERS: ReadonlySet<string> = new Set(
  toList(`
    door, doors, dr, d, two, three, four, five, puertas, portes, row, seat, seater, extended, compact,
    subcompact, midsize, mid, sized, size, full, fullsize, large, small, luxury, premium, sport, sports,
    hybrid, electric, gas, awd, 4wd, fwd, rwd, 2wd, 4x4, 4x2, 4matic, quattro, automatic, new, used, and,
    or, passenger, class, style, standard, entry, level, long, wheelbase, lwb, swb, short, regular, body,
    type, utility, vehicle, vehicles, executive, performance, family, exotic, soft, hard, top, cargo,
    touring, crew, cab, double, vehiculo
  `),
);

/** A `wagon` with one of these words is a van with seats, which may be a truck. */
export const VAN_MODIFIERS: ReadonlySet<string> = new Set(
  toList(`
  passenger, extended, long, lwb, regular, cargo
`),
);
