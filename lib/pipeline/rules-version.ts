import { hash } from 'node:crypto';
import { BLOCKED_BODIES, LIMITS } from '../contract/fields.ts';
import { RECORD_SHAPE } from '../contract/record/record.ts';
import { COLUMN_WORDS } from '../domain/feed/feed-columns.ts';
import { UNIT_NAMES } from '../domain/feed/named-units.ts';
import { COUNTRY_SPELLINGS } from '../domain/place/countries.ts';
import {
  CANADIAN_PROVINCES,
  MEXICAN_SPELLINGS,
  MEXICAN_STATES,
  STATE_SPELLINGS,
  US_STATES,
} from '../domain/place/places.ts';
import { PRICE_ENVELOPE, TIMES_NEARER } from '../domain/price/price-envelope.ts';
import { USUAL_PRICES } from '../domain/price/usual-price.ts';
import { SEARCH_VOCABULARY } from '../domain/search/search-vocabulary.ts';
import { AMOUNT_WORDS } from '../domain/text/amounts.ts';
import { CURRENCY_WORDS } from '../domain/text/currency.ts';
import { DOLLARS, MILES, POUNDS } from '../domain/text/numbers.ts';
import { PRIVATE_NAMES } from '../domain/text/private-names.ts';
import { PLACEHOLDERS } from '../domain/text/text.ts';
import { IDENTIFIERS } from '../domain/vin/identifiers.ts';
import { CONSUMER_MODIFIERS, CONSUMER_WORDS, VAN_MODIFIERS } from '../domain/vocabulary/bodies.ts';
import { NOT_MISSPELLED } from '../domain/vocabulary/makes.ts';
import { MODEL_LINES } from '../domain/vocabulary/model.ts';
import { STATUS_WORDS } from '../domain/vocabulary/resolve.ts';
import { FACTORY_CODES, KENWORTH_SERIES, SERIES, STARS } from '../domain/vocabulary/series.ts';
import { FUELS } from '../domain/vocabulary/short-terms.ts';
import { ROUNDING, WEIGHT_CLASSES } from '../domain/vocabulary/weight-class.ts';

/** Raised when the code that reads or settles a record changes, and no table below does. */
const REVISION = 7;

const TABLES = [
  REVISION,
  RECORD_SHAPE,
  LIMITS,
  BLOCKED_BODIES,
  CONSUMER_WORDS,
  SERIES,
  MODEL_LINES,
  [...CONSUMER_MODIFIERS],
  [...VAN_MODIFIERS],
  IDENTIFIERS,
  FACTORY_CODES,
  KENWORTH_SERIES,
  String(STARS),
  SEARCH_VOCABULARY,
  [...NOT_MISSPELLED],
  FUELS,
  WEIGHT_CLASSES,
  PRICE_ENVELOPE,
  USUAL_PRICES,
  US_STATES,
  CANADIAN_PROVINCES,
  MEXICAN_STATES,
  STATE_SPELLINGS,
  MEXICAN_SPELLINGS,
  COUNTRY_SPELLINGS,
  COLUMN_WORDS,
  UNIT_NAMES,
  CURRENCY_WORDS,
  DOLLARS,
  POUNDS,
  MILES,
  TIMES_NEARER,
  ROUNDING,
  STATUS_WORDS,
  AMOUNT_WORDS,
  PRIVATE_NAMES,
  [...PLACEHOLDERS],
];

/** A hash of the tables that decide about a record: when one changes, unchanged input is evaluated again once. */
export const RULES_VERSION = hash('sha256', JSON.stringify(TABLES)).slice(0, 16);
