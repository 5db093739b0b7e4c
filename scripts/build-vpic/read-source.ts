import type { DatabaseSync } from 'node:sqlite';

/** What the extract is made of, as vPIC has it. */
export interface Source {
  makers: SourceMaker[];
  uses: { wmi: string; schema: number; from: number; to: number | null }[];
  patterns: SourcePattern[];
  /** What an engine model says of itself, by element id. */
  engines: { name: string; element: number; value: string }[];
}

export interface SourceMaker {
  wmi: string;
  /** vPIC's vehicle type, for example `Truck`. */
  type: string;
  makes: string[];
  manufacturer: string;
}

export interface SourcePattern {
  schema: number;
  keys: string;
  element: number;
  /** The name where vPIC points to a table. */
  value: string;
  /** The make of a model. */
  make: string | null;
  /** When it was last changed, as sortable text. */
  changedOn: string;
}

/** vPIC's numbers of the elements used here. */
export const SOURCE_ELEMENTS = {
  bodyClass: 5,
  cylinders: 9,
  cubicCentimetres: 11,
  litres: 13,
  engineModel: 18,
  fuel: 24,
  gvwrFrom: 25,
  model: 28,
  series: 34,
  trim: 38,
  secondFuel: 66,
  plantCountry: 75,
  otherEngine: 129,
  engineMake: 146,
  gvwrTo: 190,
} as const;

/** Trucks, buses and incomplete vehicles of all makers; of makers that build both, cars and SUVs as well. */
const TYPES = ['Truck', 'Bus', 'Incomplete Vehicle'];
const CONSUMER_TYPES = ['Passenger Car', 'Multipurpose Passenger Vehicle (MPV)'];
const BOTH = ['Ford', 'Chevrolet', 'GMC', 'Ram', 'Dodge', 'Mercedes-Benz', 'Freightliner'];
/** The service lists model years from 1990; of older ones it is enough to know that they exist. */
const OLDEST = 1990;

export function readSource(database: DatabaseSync): Source {
  const list = (values: readonly (string | number)[]) =>
    values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(', ');
  const makers = `
    select w.Id from Wmi w join VehicleType t on t.Id = w.VehicleTypeId
    where t.Name in (${list(TYPES)}) or (t.Name in (${list(CONSUMER_TYPES)}) and w.Id in (
      select m.WmiId from Wmi_Make m join Make k on k.Id = m.MakeId where k.Name in (${list(BOTH)})))`;
  const elements = Object.values(SOURCE_ELEMENTS);
  const rows = (sql: string) => database.prepare(sql).all();
  return {
    makers: rows(`
      select w.Wmi as wmi, t.Name as type, f.Name as manufacturer,
        (select group_concat(Name, '|') from (select distinct k.Name from Wmi_Make m join Make k
          on k.Id = m.MakeId where m.WmiId = w.Id order by k.Name)) as makes
      from Wmi w join VehicleType t on t.Id = w.VehicleTypeId left join Manufacturer f on f.Id = w.ManufacturerId
      where w.Id in (${makers}) order by w.Wmi`).map((row) => ({
      wmi: text(row.wmi),
      type: text(row.type),
      makes: text(row.makes).split('|').filter(Boolean),
      manufacturer: text(row.manufacturer),
    })),
    uses: rows(`
      select w.Wmi as wmi, u.VinSchemaId as "schema", u.YearFrom as "from", u.YearTo as "to"
      from Wmi_VinSchema u join Wmi w on w.Id = u.WmiId
      where w.Id in (${makers}) order by 1, 3, 2`).map((row) => ({
      wmi: text(row.wmi),
      schema: Number(row.schema),
      from: Number(row.from),
      to: row.to === null ? null : Number(row.to),
    })),
    patterns: rows(`
      select p.VinSchemaId as "schema", upper(p.Keys) as keys, p.ElementId as element,
        case p.ElementId
          when 5 then (select Name from BodyStyle where Id = cast(p.AttributeId as integer))
          when 24 then (select Name from FuelType where Id = cast(p.AttributeId as integer))
          when 66 then (select Name from FuelType where Id = cast(p.AttributeId as integer))
          when 25 then (select Name from GrossVehicleWeightRating where Id = cast(p.AttributeId as integer))
          when 190 then (select Name from GrossVehicleWeightRating where Id = cast(p.AttributeId as integer))
          when 28 then (select Name from Model where Id = cast(p.AttributeId as integer))
          when 75 then (select Name from Country where Id = cast(p.AttributeId as integer))
          else p.AttributeId end as value,
        case p.ElementId when 28 then (select k.Name from Make_Model m join Make k on k.Id = m.MakeId
          where m.ModelId = cast(p.AttributeId as integer)) end as make,
        coalesce(p.UpdatedOn, p.CreatedOn, '') as changed_on
      from Pattern p
      where p.ElementId in (${list(elements)}) and p.Keys not like '%#%' and p.VinSchemaId in (
        select VinSchemaId from Wmi_VinSchema
        where WmiId in (${makers}) and coalesce(YearTo, ${OLDEST}) >= ${OLDEST})
      order by 1, 3, 2, p.Id`).map((row) => ({
      schema: Number(row.schema),
      keys: text(row.keys),
      element: Number(row.element),
      value: text(row.value),
      make: row.make === null ? null : text(row.make),
      changedOn: text(row.changed_on),
    })),
    engines: rows(`
      select e.Name as name, p.ElementId as element,
        case p.ElementId when 24 then (select Name from FuelType where Id = cast(p.AttributeId as integer))
          else p.AttributeId end as value
      from EngineModel e join EngineModelPattern p on p.EngineModelId = e.Id
      where p.ElementId in (${list(elements)}) order by 1, 2, p.Id`).map((row) => ({
      name: text(row.name),
      element: Number(row.element),
      value: text(row.value),
    })),
  };
}

/** One line of clean text. */
function text(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
}
