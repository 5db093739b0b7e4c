import { ABBREVIATIONS, CABS } from '../vocabulary/bodies.ts';
import { BODY_TABLE } from '../vocabulary/body-table.ts';
import { MAKES } from '../vocabulary/makes.ts';
import { CABOVERS } from '../vocabulary/series.ts';
import {
  DRIVES,
  ENGINE_CODES,
  MANUAL_GEARS,
  REAR_WHEELS,
  TRANSMISSION_NAMES,
  TRANSMISSION_ORDER,
  TRANSMISSIONS,
} from '../vocabulary/short-terms.ts';
import { UNIT_PATTERNS } from './joined-units.ts';
import { TERM_FILTERS } from './listing-terms.ts';
import { SERIAL_LENGTHS, WORD_PATTERNS } from './words.ts';

/** The tables by which stored words are made of listings: when one changes, the words are made anew. */
export const SEARCH_VOCABULARY = [
  TRANSMISSIONS,
  TRANSMISSION_NAMES,
  TRANSMISSION_ORDER,
  DRIVES,
  CABS,
  ABBREVIATIONS,
  BODY_TABLE,
  MAKES,
  SERIAL_LENGTHS,
  WORD_PATTERNS,
  REAR_WHEELS,
  TERM_FILTERS,
  ...UNIT_PATTERNS,
  ...[Object.values(CABOVERS), Object.values(ENGINE_CODES), MANUAL_GEARS].map(String),
];
