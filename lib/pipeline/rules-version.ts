import { hash } from 'node:crypto';
import { BLOCKED_BODIES, LIMITS } from '../contract/fields.ts';
import { RECORD_SHAPE } from '../contract/record/record.ts';
import { CANADIAN_PROVINCES, US_STATES } from '../domain/place/places.ts';
import { PRICE_ENVELOPE } from '../domain/price/price-envelope.ts';
import { USUAL_PRICES } from '../domain/price/usual-price.ts';
import { CABS, CONSUMER_WORDS } from '../domain/vocabulary/bodies.ts';
import { BODY_TABLE } from '../domain/vocabulary/body-table.ts';
import { MAKES, MODELS_THAT_NAME_THE_MAKE, NOT_MISSPELLED } from '../domain/vocabulary/makes.ts';
import { SERIES } from '../domain/vocabulary/series.ts';
import { FUELS } from '../domain/vocabulary/short-terms.ts';
import { WEIGHT_CLASSES } from '../domain/vocabulary/weight-classes.ts';

const TABLES = [
  ...[
    RECORD_SHAPE,
    LIMITS,
    BLOCKED_BODIES,
    CONSUMER_WORDS,
    BODY_TABLE,
    CABS,
    SERIES,
    MAKES,
    MODELS_THAT_NAME_THE_MAKE,
  ],
  ...[[...NOT_MISSPELLED], FUELS, WEIGHT_CLASSES, PRICE_ENVELOPE, USUAL_PRICES],
  ...[US_STATES, CANADIAN_PROVINCES],
];

/** A hash of the tables that decide about a record: when one changes, unchanged input is evaluated again once. */
export const RULES_VERSION = hash('sha256', JSON.stringify(TABLES)).slice(0, 16);
