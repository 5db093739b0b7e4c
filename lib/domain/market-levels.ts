/** A model as market data tells it apart: without regard to case, blanks, dashes, dots and slashes; '' is unknown. */
export const MARKET_MODEL = `upper(translate(coalesce(model, ''), ' -._/', ''))`;

/** Levels of what is summed up: one model, all models of a make, everything. */
export const MARKET_LEVELS = { all: 0, make: 1, model: 2 } as const;
