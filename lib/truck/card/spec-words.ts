import { entryFor, FIELD_NAMES, type FieldName, typedKeys } from '../record/record.ts';
import { toTable } from '../text/table.ts';
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
const VALUES = toTable({
  new: words('New', 'Nuevo', 'Neuf'),
  used: words('Used', 'Usado', 'Occasion'),
  unknown: words('Not stated', 'Sin indicar', 'Non précisé'),
  dual: words('Dual rear wheels', 'Ruedas traseras dobles', 'Roues arrière jumelées'),
  single: words('Single rear wheels', 'Ruedas traseras sencillas', 'Roues arrière simples'),
  diesel: words('Diesel', 'Diésel', 'Diesel'),
  gasoline: words('Gasoline', 'Gasolina', 'Essence'),
  electric: words('Electric', 'Eléctrico', 'Électrique'),
  hybrid: words('Hybrid', 'Híbrido', 'Hybride'),
  'natural gas': words('Natural gas', 'Gas natural', 'Gaz naturel'),
  propane: words('Propane', 'Propano', 'Propane'),
  'flex fuel': words('Flex fuel', 'Flexible', 'Polycarburant'),
  automatic: words('Automatic', 'Automática', 'Automatique'),
  automated: words('Automated manual', 'Manual automatizada', 'Robotisée'),
  'automated manual': words('Automated manual', 'Manual automatizada', 'Robotisée'),
  manual: words('Manual', 'Manual', 'Manuelle'),
  'crew cab': words('Crew cab', 'Doble cabina', 'Cabine double'),
  'extended cab': words('Extended cab', 'Cabina extendida', 'Cabine allongée'),
  'regular cab': words('Regular cab', 'Cabina sencilla', 'Cabine simple'),
  'low cab forward': words('Low cab forward', 'Cabina adelantada', 'Cabine avancée'),
  white: words('White', 'Blanco', 'Blanc'),
  black: words('Black', 'Negro', 'Noir'),
  red: words('Red', 'Rojo', 'Rouge'),
  blue: words('Blue', 'Azul', 'Bleu'),
  green: words('Green', 'Verde', 'Vert'),
  gray: words('Gray', 'Gris', 'Gris'),
  silver: words('Silver', 'Plateado', 'Argent'),
  yellow: words('Yellow', 'Amarillo', 'Jaune'),
});

/** Translates a value; without a translation it stays as the dealer wrote it. */
export function translateValue(value: string | null | undefined, locale: Locale): string | null {
  if (value == null) return null;
  return VALUES[value.toLowerCase().replaceAll('_', ' ')]?.[locale] ?? value;
}
