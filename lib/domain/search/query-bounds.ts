/** How people say in English, Spanish and French that a number is a bound, and how it is taken out of a query. */

export const AT_MOST =
  '(?:under|below|less than|up to|at most|no more than|max(?:imum)?(?: of)?|cheaper than|within|<=?|hasta|menos de|por debajo de|maximo|moins de|jusqu.?a|sous|budget(?: of)?|presupuesto)';
export const AT_LEAST =
  '(?:over|above|more than|at least|min(?:imum)?(?: of)?|starting at|>=?|mas de|minimo|desde|al menos|plus de|au moins|a partir de)';
export const TO = '(?:-|–|to|and|a|al|y|et|through|thru|until|hasta)';

type Groups = readonly (string | undefined)[];
/** Takes what a pattern finds out of the query when `read` understands it, or wants it left out. */
export type Take = (pattern: RegExp, read: (groups: Groups, behind: string) => boolean | 'dropped') => void;
