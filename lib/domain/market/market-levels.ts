/** A model as market data tells it apart: without regard to case, blanks, dashes, dots and slashes; '' is unknown. */
export const MARKET_MODEL = `upper(translate(coalesce(model, ''), ' -._/', ''))`;

/** Levels of what is summed up: one model, all models of a make, all makes, and for cells all classes too. */
export const MARKET_LEVELS = { years: 0, all: 1, make: 2, model: 3 } as const;
