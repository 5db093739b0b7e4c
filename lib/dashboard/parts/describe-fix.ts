import { labelFor } from '../../truck/record/record.ts';

/** What the pipeline says to those who program, and what it is for those who do not. */
const PLAIN_WORDS: readonly (readonly [said: string, plain: string])[] = [
  ['or send null for call-for-price', 'or leave it empty for “call for price”'],
  [' as vin (or VIN, vehicle_identification_number)', ''],
  [' as year (or model_year, modelYear)', ''],
  [' as text in make (or Make, manufacturer, brand)', ''],
  ['correct gvwr', 'correct the weight'],
  ['correct class to class_3 … class_8', 'correct its weight class'],
  ['leave the vehicle out', 'leave the truck out'],
  [' once white space and dashes are stripped', ' without spaces and dashes'],
  ['serials from before 1981', 'trucks from before 1981'],
  ['class (class_3 to class_8) or gvwr (', 'its weight class (3 to 8) or its gross weight ('],
  [': add class or gvwr.', '.'],
];

/** What to change, with the label in the place of the field's name, and an empty cell in that of null. */
export function describeFix(field: string | null, fix: string): string {
  const named =
    field !== null && fix.startsWith(`${field} `) ? labelFor(field) + fix.slice(field.length) : fix;
  const plainly = named.replace(`leave ${field} out`, 'leave it empty');
  return PLAIN_WORDS.reduce((text, [said, plain]) => text.replace(said, plain), plainly);
}
