import { MARKET_LEVELS, MARKET_MODEL } from '../../../domain/market/market-levels.ts';

/** What a listing is counted under in market data, and how its writers say that the count is no longer true. */

/** MARKET_MODEL of another column, or of a text parameter. */
export const modelKey = (model: string) => MARKET_MODEL.replace('model', model);

/** The columns of an `Observation`, all in the index `listing_search_market`. */
export const OBSERVED = `
  account_id as seller, model_year as year, coalesce(truck_class, '') as "truckClass", coalesce(body_type, '') as body,
  coalesce(state, '') as state, coalesce(condition, '') as condition, coalesce(fuel_type, '') as fuel, price, mileage`;

/** A common table expression of the statement that writes a batch: before and after, where the market sees a change. */
export const DIRTIED_BY_WRITE = `dirtied as (
      insert into market_dirty (make, model, model_year, truck_class)
      select distinct k.make, ${modelKey('k.model')}, k.year, coalesce(k.class, '')
      from taken i left join before o on o.dedup_hash = i.hash
        cross join lateral (values (i.make, i.model, i.model_year, i.truck_class),
          (o.make, o.model, o.model_year, o.truck_class)) as k(make, model, year, class)
      where k.make is not null
        and (i.s, i.make, i.model, i.model_year, i.truck_class, i.price, i.mileage, i.body_type, i.state, i.condition,
            i.fuel_type)
          is distinct from (o.status, o.make, o.model, o.model_year, o.truck_class, o.price, o.mileage, o.body_type,
            o.state, o.condition, o.fuel_type)
    )`;

/** The same for the statement that sets a status; `searched` has the facet key of what it changed. */
export const DIRTIED_BY_STATUS = `dirtied as (
      insert into market_dirty (make, model, model_year, truck_class)
      select distinct make, ${MARKET_MODEL}, year::int, truck_class from searched
    )`;

/** What the market asks for trucks of the model, model year and class of listing `l`; none when nothing is counted. */
export const PRICES_ALIKE = `
      select c.tallies -> 'price' from listing_search s
        join market_cells c on c.level = ${MARKET_LEVELS.model} and c.make = s.make and c.model_year = s.model_year
          and c.truck_class = coalesce(s.truck_class, '') and c.model = ${modelKey('s.model')}
      where s.account_id = $1 and s.dedup_hash = l.dedup_hash`;
