import * as z from 'zod/mini';
import { about, nameSchema } from './truck/json.ts';
import { RECORD, type RecordName, typedKeys } from './truck/record/record.ts';

/**
 * The catalogue of warnings: what the service says about a record or a lead without refusing it. The enum of the
 * OpenAPI document, the docs page and every emitted warning derive from this table; nothing else may invent a code.
 *
 * - `field`: the field the warning names; null where the emitter names it.
 * - `message`: a template; the emitter fills in what stands in braces.
 */
export const WARNINGS = {
  VIN_CHARACTERS: {
    field: 'vin',
    when: 'The VIN has 17 characters, some of which no VIN uses.',
    fix: 'Compare the VIN with the title: I, O and Q are usually 1, 0 and 0.',
    message: 'vin has characters that VINs do not use (I, O, Q, or anything but letters and digits).',
  },
  VIN_CHECK_DIGIT: {
    field: 'vin',
    when: 'The ninth character, the check digit, does not fit the others.',
    fix: 'Compare the VIN with the title; a character is probably mistyped.',
    message: 'The check digit of VIN {vin} is wrong; a character is probably mistyped.',
  },
  VIN_YEAR_MISMATCH: {
    field: 'year',
    when: 'The model year differs from the one the VIN encodes.',
    fix: 'Correct `year`, or the VIN.',
    message: 'year is {year}, but position 10 of the VIN stands for {years}.',
  },
  VIN_MAKE_MISMATCH: {
    field: 'make',
    when: 'The make differs from the manufacturer the VIN encodes.',
    fix: 'Correct `make`, or the VIN.',
    message: 'make is {make}, but the VIN says {known}.',
  },
  VIN_CLASS_MISMATCH: {
    field: 'class',
    when: 'The weight class differs from the one the VIN encodes.',
    fix: 'Correct `class` or `gvwr`, or the VIN.',
    message: '{source} says {class}, but the VIN says {known}.',
  },
  VIN_NOT_A_TRUCK: {
    field: 'vin',
    when: 'The VIN is that of a consumer vehicle, trailer, motorcycle or machine. Without a class or gvwr of its own the listing stays out of market data and the widget.',
    fix: 'Compare the VIN with the title; send `class` or `gvwr` if it is a truck, or leave the vehicle out.',
    message: 'The VIN is that of a {kind}; {advice}.',
  },
  GVWR_RANGE: {
    field: 'gvwr',
    when: 'gvwr is a range of weights: the class is read from it, but no rating is stored.',
    fix: 'Send the rating in lb.',
    message:
      'gvwr {received} is a range: Class {class} was read from it, but no rating; send the rating in lb.',
  },
  CLASS_GVWR_MISMATCH: {
    field: 'class',
    when: 'class and gvwr differ in weight class. Both are kept as sent.',
    fix: 'Correct the one that is wrong.',
    message: 'class says Class {class}, but gvwr {gvwr} lb is Class {byWeight}.',
  },
  MAKE_CORRECTED: {
    field: 'make',
    when: 'The make looked misspelled and was corrected to a known one.',
    fix: 'Nothing to do if it is right; otherwise send the full name of the manufacturer.',
    message: 'make "{sent}" was corrected to {make}.',
  },
  PRICE_SUSPICIOUS: {
    field: 'price',
    when: 'The price is possible but unlikely: it equals the mileage, looks like a monthly payment for a young truck, or is about ten times or a tenth of usual prices for its class, age and body. The listing stays out of market data.',
    fix: 'Check `price` and the column it is read from. If it is right, send the same value as `confirmed_price`.',
    message: 'price {oddity}',
  },
  ZIP_STATE_MISMATCH: {
    field: 'zip',
    when: 'The ZIP code is in a different state from the one sent.',
    fix: 'Correct `zip` or `state`.',
    message: 'ZIP {zip} is in {actual}, but state is {state}.',
  },
  LOCATION_PENDING: {
    field: 'location',
    when: 'The geocoder did not answer in time. The listing is stored without coordinates.',
    fix: 'Post the record again later.',
    message: 'The place could not be looked up; post the record again later to get its coordinates.',
  },
  IMAGE_FAILED: {
    field: 'images',
    when: 'An image could not be fetched, and retries have ended.',
    fix: 'Correct or remove the URL.',
    message: 'The image {url} could not be fetched: {reason}.',
  },
  NUMBER_REMARK_DROPPED: {
    field: null,
    when: 'A number was read, and the words beside it were left out.',
    fix: 'Nothing to do if it is right; otherwise send the bare number, and the remark in `description`.',
    message: '{field} {received} was read as {value}; the rest was left out.',
  },
  CURRENCY_ASSUMED: {
    field: 'currency',
    when: 'A price has no currency, and the truck is where prices are not in US dollars.',
    fix: 'Send `currency`: USD, CAD or MXN.',
    message: 'price has no currency; {currency} was assumed because {why}.',
  },
  UNIT_ASSUMED: {
    field: 'mileage_unit',
    when: 'A mileage has no unit, and the truck is where odometers count kilometers.',
    fix: 'Send `mileage_unit`: mi or km.',
    message: 'mileage has no unit; {unit} was assumed because the truck is in {state}.',
  },
  TEXT_SHORTENED: {
    field: null,
    when: 'A text was longer than the field allows and was cut.',
    fix: 'Send a shorter text.',
    message: '{field} was shortened to {max} characters.',
  },
  ATTRIBUTES_DROPPED: {
    field: 'attributes',
    when: 'Some unknown fields were too big, too deep, too many, or had a forbidden name.',
    fix: 'Leave them out, or send smaller values.',
    message: 'Unknown fields were too big, deep or many, or had a forbidden name; left out: {names}.',
  },
  WARNINGS_OMITTED: {
    field: 'record',
    when: 'A record of a batch has more warnings than an answer can hold.',
    fix: 'Correct the warnings shown, or post the record by itself to see all.',
    message: '{count} more warnings of this record were left out; post it by itself to see all.',
  },
  READ_ONLY_IGNORED: {
    field: 'dedup_hash',
    when: 'The record has fields that the service computes itself.',
    fix: 'Leave them out; nothing is lost by sending them.',
    message: 'Fields that the service computes itself (dedup_hash, quality, …) were ignored.',
  },
  STATUS_IGNORED: {
    field: 'status',
    when: 'status is not one that a listing can have.',
    fix: 'Send `available`, `sold` or `delisted`, or leave `status` out.',
    message: 'status {received} is none of {known}; it was ignored.',
  },
  DEALER_UNKNOWN: {
    field: 'dealer',
    when: 'The account has no dealer with this slug.',
    fix: 'Create the dealer with POST /v1/dealers, then post the record again.',
    message: 'The account has no dealer “{slug}”: add it, then send the record again.',
  },
  DEALER_AMBIGUOUS: {
    field: 'dealer',
    when: 'The account has several dealers, and the record names none. No widget shows the truck.',
    fix: 'Send the slug of the dealer as `dealer`.',
    message: 'The account has several dealers, and the record names none: send its slug as dealer.',
  },
  DEALER_NOT_ASSIGNED: {
    field: 'dealer',
    when: 'A dealer was created after trucks without one were posted. They are not assigned to it.',
    fix: 'Post the trucks again; if the account has several dealers, with `dealer`.',
    message: 'Trucks that were posted before have no dealer yet: post them again.',
  },
  DEALER_FIELD_UNRECOGNIZED: {
    field: null,
    when: 'A dealer’s state or zip cannot be read. It is stored as sent, and is not used to locate trucks.',
    fix: 'Correct the field: a state such as `TX`, a ZIP such as `78219`.',
    message: '{field} {received} is no {expected}; it was stored as sent.',
  },
  UNKNOWN_FIELD: {
    field: null,
    when: 'A dealer, or the body of a batch, has an unknown field. It is not stored.',
    fix: 'Leave it out, or correct its name. A near miss of a known name is refused.',
    message: '{field} is not a field of this body and was not stored.',
  },
  STILL_SOLD: {
    field: 'status',
    when: 'The truck was sold, and the record has no `"status": "available"`. It stays sold; the other fields are stored.',
    fix: 'Send `"status": "available"` if it is for sale again.',
    message: 'The truck stays sold; send "status": "available" if it is for sale again.',
  },
  LISTED_ELSEWHERE: {
    field: 'source_provider_id',
    when: 'The account has the same VIN for sale under another source_provider_id, or under none: these are two listings of one truck.',
    fix: 'Always send a truck with the same `source_provider_id`, and delist the wrong listing. If two systems list it on purpose, send the same price from both.',
    message: 'This VIN is also for sale under {provider}, {price}: two listings.',
  },
  OBSERVATION_OLDER: {
    field: 'observed_at',
    when: 'The record is older than the stored one, for example from a late feed file. Nothing was changed.',
    fix: 'Nothing to do.',
    message: 'The stored record was observed later, at {at}.',
  },
  VIN_UNKNOWN: {
    field: 'vin',
    when: 'A lead names a VIN that the dealer did not list when the lead was captured.',
    fix: 'Ask the visitor which truck is meant.',
    message: 'The dealer had no truck with this VIN when the lead was captured.',
  },
} as const satisfies Record<string, WarningEntry>;

/** `PRICE_UNREADABLE` and its like: the value was left out and the record went on. One entry for all fields. */
export const UNREADABLE = {
  when: 'The value of the field cannot be read. It was left out; the rest of the record was accepted.',
  fix: 'Send the value in the form the message names.',
  message: '{what} cannot be read as {expected}; left out.',
} as const;

/** Values of these are never left out for being unreadable: VIN and year reject the record, status has a code of its own. */
const NEVER_UNREADABLE = ['vin', 'year', 'status'] as const;
export type ReadableMember = Exclude<RecordName, (typeof NEVER_UNREADABLE)[number]>;
type UnreadableCode = `${Uppercase<ReadableMember>}_UNREADABLE`;
export type WarningCode = keyof typeof WARNINGS | UnreadableCode;

export function unreadableCode<Member extends ReadableMember>(member: Member) {
  return `${member.toUpperCase()}_UNREADABLE` as `${Uppercase<Member>}_UNREADABLE`;
}

interface WarningEntry {
  readonly field: string | null;
  readonly when: string;
  readonly fix: string;
  readonly message: string;
}

/** Every code with its entry, for the document and the docs page. */
export function listWarnings(): (WarningEntry & { code: WarningCode })[] {
  const never: readonly string[] = NEVER_UNREADABLE;
  const members = typedKeys(RECORD).filter((name): name is ReadableMember => !never.includes(name));
  return [
    ...(Object.keys(WARNINGS) as (keyof typeof WARNINGS)[]).map((code) => ({ code, ...WARNINGS[code] })),
    ...members.map((field) => ({ code: unreadableCode(field), field, ...UNREADABLE })),
  ];
}

const WarningCodes = z.enum(listWarnings().map(({ code }) => code));

export const WarningAnswer = nameSchema(
  'Warning',
  z.object({
    code: nameSchema('WarningCode', WarningCodes, 'Stable codes of warnings; branch on these.'),
    field: z.string(),
    message: z.string(),
    suggestions: z.optional(
      about(
        z.array(z.object({ vin: z.string(), because: z.string() })),
        'With VIN_CHECK_DIGIT: VINs that differ by one typing error and have a correct check digit, the likeliest first. Nothing is derived from them.',
      ),
    ),
  }),
  'A warning about an accepted record.',
);
