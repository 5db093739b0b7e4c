/**
 * What a truck may cost by age (current year - model year, at least 0), in USD, both ends inclusive; a price outside
 * is refused as junk. Sources: a dealer inventory of 2024-12, ACT Research used Class 8 averages 2023-2024, published
 * new and used ranges. The top ends for fire apparatus and cranes are general knowledge.
 */
export const PRICE_ENVELOPE = [
  {
    oldest: 0,
    min: 10000,
    max: 2000000,
  },
  {
    oldest: 1,
    min: 7500,
    max: 2000000,
  },
  {
    oldest: 2,
    min: 7500,
    max: 1500000,
  },
  {
    oldest: 5,
    min: 4000,
    max: 1500000,
  },
  {
    oldest: 10,
    min: 2000,
    max: 900000,
  },
  {
    oldest: 15,
    min: 1000,
    max: 600000,
  },
  {
    oldest: 20,
    min: 1000,
    max: 400000,
  },
  {
    oldest: 99,
    min: 1000,
    max: 300000,
  },
] as const;
