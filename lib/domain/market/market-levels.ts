/** A model as market data tells it apart: without regard to case, blanks, dashes, dots and slashes; '' is unknown. */
export const MARKET_MODEL = `upper(translate(coalesce(model, ''), ' -._/', ''))`;

/**
 * True of every listing. The index that crosses accounts has it as its predicate, so that only statements that say it
 * can use that index: those of the market, and never a search.
 */
export const IN_MARKET = 'length(vin) > 0';

/** Levels of what is summed up: one model, all models of a make, all makes, and for cells all classes too. */
export const MARKET_LEVELS = { years: 0, all: 1, make: 2, model: 3 } as const;
