import { entryFor, FIELD_NAMES, type FieldName, typedKeys } from '../record/record.ts';
import { toList } from '../text/table.ts';
import type { Locale } from './locale.ts';

/** Names and order of a truck's facts, and translations of values. */

const words = (en: string, es: string, fr: string) => ({ en, es, fr }) as const;

/** Lines made of several fields, or of none of the record table. */
const COMPOSED = {
  axles: words('Axles', 'Ejes', 'Essieux'),
  body: words('Body', 'Carrocería', 'Carrosserie'),
  location: words('Location', 'Ubicación', 'Lieu'),
  listed: words('Listed', 'Publicado', 'Publié'),
  vin: words('VIN', 'VIN', 'NIV'),
} as const;
export type ComposedSpec = keyof typeof COMPOSED;

/** The order in which buyers ask; other fields come between FIRST and LAST. */
const FIRST =
  `engine transmission drivetrain axles gvwr class mileage cab body body_description fuel wheelbase
  cab_to_axle hydraulics color condition features`.split(/\s+/);
const LAST = ['location', 'stock_number', 'listed', 'vin'];

interface SpecLine {
  /** Does not depend on the language. */
  id: string;
  /** Null for a line of COMPOSED. */
  field: FieldName | null;
  names: Readonly<Record<Locale, string>>;
}

const LINES: readonly SpecLine[] = [
  ...typedKeys(COMPOSED).map((id) => ({ id, field: null, names: COMPOSED[id] })),
  ...FIELD_NAMES.flatMap((field) => {
    const names = entryFor(field).spec;
    return names ? [{ id: names.id ?? field, field, names }] : [];
  }),
];

export const SPEC_LINES: readonly SpecLine[] = LINES.toSorted((a, b) => rankSpec(a.id) - rankSpec(b.id));

function rankSpec(id: string) {
  const [first, last] = [FIRST.indexOf(id), LAST.indexOf(id)];
  if (first >= 0) return first;
  return FIRST.length + 1 + last;
}

/** A value, and its name in English, Spanish and French. */
const VALUES = new Map(
  toList(`
    new/New/Nuevo/Neuf, used/Used/Usado/Occasion, unknown/Not stated/Sin indicar/Non précisé,
    dual/Dual rear wheels/Ruedas traseras dobles/Roues arrière jumelées,
    single/Single rear wheels/Ruedas traseras sencillas/Roues arrière simples, diesel/Diesel/Diésel/Diesel,
    gasoline/Gasoline/Gasolina/Essence, electric/Electric/Eléctrico/Électrique,
    hybrid/Hybrid/Híbrido/Hybride, natural gas/Natural gas/Gas natural/Gaz naturel,
    propane/Propane/Propano/Propane, flex fuel/Flex fuel/Flexible/Polycarburant,
    automatic/Automatic/Automática/Automatique, automated/Automated manual/Manual automatizada/Robotisée,
    automated manual/Automated manual/Manual automatizada/Robotisée, manual/Manual/Manual/Manuelle,
    crew cab/Crew cab/Doble cabina/Cabine double,
    extended cab/Extended cab/Cabina extendida/Cabine allongée,
    regular cab/Regular cab/Cabina sencilla/Cabine simple,
    low cab forward/Low cab forward/Cabina adelantada/Cabine avancée, white/White/Blanco/Blanc,
    black/Black/Negro/Noir, red/Red/Rojo/Rouge, blue/Blue/Azul/Bleu, green/Green/Verde/Vert,
    gray/Gray/Gris/Gris, silver/Silver/Plateado/Argent, yellow/Yellow/Amarillo/Jaune
  `).map((line) => {
    const [value = '', en = '', es = '', fr = ''] = line.split('/');
    return [value, words(en, es, fr)];
  }),
);

/** Translates a value; without a translation it stays as the dealer wrote it. */
export function translateValue(value: string | null | undefined, locale: Locale): string | null {
  if (value == null) return null;
  return VALUES.get(value.toLowerCase().replaceAll('_', ' '))?.[locale] ?? value;
}
