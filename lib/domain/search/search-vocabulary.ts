import { ABBREVIATIONS, CABS } from '../vocabulary/bodies.ts';
import { BODY_TABLE } from '../vocabulary/body-table.ts';
import { MAKES } from '../vocabulary/makes.ts';
import { CABOVERS } from '../vocabulary/series.ts';
import {
  DRIVES,
  MANUAL_GEARS,
  TRANSMISSION_NAMES,
  TRANSMISSION_ORDER,
  TRANSMISSIONS,
} from '../vocabulary/short-terms.ts';
import { LENGTH_PATTERN } from './lengths.ts';
import { SERIAL_LENGTHS } from './words.ts';

/** The tables by which stored words are made of listings: when one changes, the words are made anew. */
export const SEARCH_VOCABULARY = [
  ...[TRANSMISSIONS, TRANSMISSION_NAMES, TRANSMISSION_ORDER, DRIVES, CABS, ABBREVIATIONS, BODY_TABLE, MAKES],
  SERIAL_LENGTHS,
  ...[Object.values(CABOVERS), MANUAL_GEARS, LENGTH_PATTERN].map(String),
];
