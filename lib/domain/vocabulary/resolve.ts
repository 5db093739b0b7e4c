import { foldKey, snakeCase } from '../text/text.ts';

/** Canonical values of short fields that dealers write in many ways. */

export const FUELS: Readonly<Record<string, readonly string[]>> = {
  diesel: ['dsl', 'diesel fuel', 'd', 'bio diesel', 'biodiesel', 'turbo diesel', 'ultra low sulfur diesel'],
  gasoline: ['gas', 'petrol', 'unleaded', 'g', 'gasoline fuel', 'regular unleaded'],
  electric: ['ev', 'bev', 'battery electric', 'electricity', 'battery'],
  natural_gas: ['cng', 'lng', 'compressed natural gas', 'liquefied natural gas', 'ng', 'rng'],
  propane: ['lpg', 'lp gas', 'autogas', 'liquefied petroleum gas'],
  hybrid: ['hev', 'phev', 'plug in hybrid', 'diesel hybrid', 'hybrid electric', 'diesel electric'],
  hydrogen: ['fuel cell', 'hydrogen fuel cell', 'fcev'],
  flex_fuel: ['e85', 'ffv', 'flex', 'flexible fuel', 'ethanol'],
};

const FUEL_OF = new Map(
  Object.entries(FUELS).flatMap(([fuel, forms]) => [fuel, ...forms].map((form) => [foldKey(form), fuel])),
);

/** `diesel`, `gasoline`, …; an unknown fuel becomes snake_case. Idempotent. */
export function canonicalFuel(text: string): string {
  return FUEL_OF.get(foldKey(text)) ?? (snakeCase(text) || text);
}

/** The fuel that a word or words of some length name for certain; null for everything else. */
export function knownFuel(text: string): string | null {
  return text.length < 3 ? null : (FUEL_OF.get(foldKey(text)) ?? null);
}

const USED =
  /^(?:U$|USED|PREOWNED|PREVIOUSLYOWNED|SECONDHAND|CERTIFIED|CPO|DEMO|REFURB|REMAN|REBUILT|SALVAGE|LIKENEW|USADO)/;
const NEW = /^(?:N$|NEW(?!ER)|BRANDNEW|NUEVO)/;

/** `new` or `used`; null when the text says neither. */
export function readCondition(text: string): 'new' | 'used' | null {
  const key = foldKey(text).replace(/^HTTPS?SCHEMAORG/, '');
  if (USED.test(key)) return 'used';
  return NEW.test(key) ? 'new' : null;
}

/** The model without the make in front of it: `Kenworth T680` → `T680`. Idempotent. */
export function canonicalModel(text: string, make: string): string {
  const prefix = `${make.toLowerCase()} `;
  let model = text;
  while (prefix !== ' ' && model.toLowerCase().startsWith(prefix)) {
    const rest = model.slice(prefix.length).trim();
    if (rest === '') break;
    model = rest;
  }
  return model;
}
