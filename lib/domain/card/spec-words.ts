import type { Locale } from '../../contract/widget/locale.ts';
import { toTable } from '../text/table.ts';

/** Names of specs, in the order in which they are shown, and the values that have a name in other languages. */

const words = (en: string, es: string, fr: string) => ({ en, es, fr }) as const;

export const SPEC_WORDS = {
  engine: words('Engine', 'Motor', 'Moteur'),
  transmission: words('Transmission', 'Transmisión', 'Transmission'),
  drivetrain: words('Drive', 'Tracción', 'Configuration des roues'),
  axles: words('Axles', 'Ejes', 'Essieux'),
  gvwr: words('GVWR', 'Peso bruto (GVWR)', 'PNBV (GVWR)'),
  class: words('Class', 'Clase', 'Classe'),
  mileage: words('Mileage', 'Kilometraje', 'Kilométrage'),
  cab: words('Cab', 'Cabina', 'Cabine'),
  body: words('Body', 'Carrocería', 'Carrosserie'),
  body_description: words('Equipment', 'Equipo', 'Équipement'),
  fuel: words('Fuel', 'Combustible', 'Carburant'),
  wheelbase: words('Wheelbase', 'Distancia entre ejes', 'Empattement'),
  cab_to_axle: words('Cab to axle', 'Cabina a eje', 'Cabine à essieu'),
  hydraulics: words('Hydraulics', 'Hidráulica', 'Hydraulique'),
  color: words('Color', 'Color', 'Couleur'),
  condition: words('Condition', 'Estado', 'État'),
  features: words('Features', 'Características', 'Options'),
  location: words('Location', 'Ubicación', 'Lieu'),
  stock_number: words('Stock number', 'Número de inventario', 'Numéro de stock'),
  listed: words('Listed', 'Publicado', 'Publié'),
  vin: words('VIN', 'VIN', 'NIV'),
  confirmed: words('Confirmed by the VIN', 'Confirmado por el VIN', 'Confirmé par le NIV'),
} as const;
export type SpecName = keyof typeof SPEC_WORDS;

const VALUES: Readonly<Record<string, ReturnType<typeof words>>> = toTable({
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
  'mega cab': words('Mega cab', 'Mega cabina', 'Cabine géante'),
  'low cab forward': words('Low cab forward', 'Cabina adelantada', 'Cabine avancée'),
  conventional: words('Conventional', 'Convencional', 'Conventionnelle'),
  'dual rear wheels': words('Dual rear wheels', 'Ruedas traseras dobles', 'Roues arrière jumelées'),
  white: words('White', 'Blanco', 'Blanc'),
  black: words('Black', 'Negro', 'Noir'),
  red: words('Red', 'Rojo', 'Rouge'),
  blue: words('Blue', 'Azul', 'Bleu'),
  green: words('Green', 'Verde', 'Vert'),
  gray: words('Gray', 'Gris', 'Gris'),
  grey: words('Gray', 'Gris', 'Gris'),
  silver: words('Silver', 'Plateado', 'Argent'),
  yellow: words('Yellow', 'Amarillo', 'Jaune'),
  orange: words('Orange', 'Naranja', 'Orange'),
  brown: words('Brown', 'Café', 'Brun'),
});

/** A value that has a name in the language, else as the dealer wrote it. */
export function translateValue(value: string | null | undefined, locale: Locale): string | null {
  if (value == null) return null;
  return VALUES[value.toLowerCase().replaceAll('_', ' ')]?.[locale] ?? value;
}
