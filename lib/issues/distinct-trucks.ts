/** A truck that several sources have wrong is one: by its VIN, whole or not, else by its stock number, as issues end. */
export const DISTINCT_TRUCKS = `count(distinct coalesce('vin ' || vin, 'stock ' || stock_number, encode(subject, 'hex')))::int`;
