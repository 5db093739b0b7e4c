import * as z from 'zod/mini';
import { ApiError } from '../errors.ts';
import type { AssistantTool } from '../outside/assistant/assistant.ts';
import type { ChatTrucks, Truck, TruckSearch } from './trucks.ts';

/** What the model may look up: this dealer's trucks. Its arguments are as little trusted as any caller's. */

const Bound = z.optional(z.int().check(z.gte(0), z.lte(2_000_000)));
const Search = z.object({
  /** What a buyer would type: make, model, body, fuel, color, state, stock number. Our own reader reads it. */
  words: z.optional(z.string()),
  price_min: Bound,
  price_max: Bound,
  year_min: Bound,
  year_max: Bound,
  mileage_max: Bound,
  sort: z.optional(z.enum(['newest', 'price', '-price', 'year', '-year', 'mileage', '-mileage'])),
});
const OneTruck = z.object({ vin: z.string().check(z.maxLength(40)) });
const NOT_FOUND = { error: 'This dealer has no such truck for sale.' };

/** Most look-ups in one try. */
const MAX_LOOK_UPS = 8;

export function chatTools(trucks: ChatTrucks): AssistantTool[] {
  let left = MAX_LOOK_UPS;
  function tool<Input extends z.ZodMiniType>(
    name: string,
    description: string,
    schema: Input,
    run: (input: z.output<Input>) => Promise<object>,
  ): AssistantTool {
    return {
      name,
      description,
      parameters: z.toJSONSchema(schema),
      async run(proposal) {
        const input = schema.safeParse(proposal);
        if (!input.success || left-- < 1) return { error: 'Not looked up.' };
        return run(input.data).catch((error: unknown) => {
          // The model can correct a search that is refused.
          if (error instanceof ApiError && error.status < 500) return { error: error.message };
          throw error;
        });
      },
    };
  }
  return [
    tool(
      'search_inventory',
      'Searches the trucks that this dealer has for sale. `words`: what a buyer would type. With a count of 0 the trucks come closest.',
      Search,
      async ({ words = '', ...query }) =>
        toModelSearch(await trucks.find({ ...query, q: toSearchWords(words) || undefined })),
    ),
    tool('get_truck', 'One truck of this dealer.', OneTruck, async ({ vin }) => {
      await trucks.recall([vin]);
      const truck = trucks.get(vin);
      return truck ? toModelTruck(truck) : NOT_FOUND;
    }),
    tool('similar_trucks', 'Trucks of this dealer like the one named.', OneTruck, async ({ vin }) => {
      const alike = await trucks.similar(vin);
      return alike ? toModelSearch(alike) : NOT_FOUND;
    }),
  ];
}

const toModelSearch = ({ search, result: { trucks, count } }: { search: number; result: TruckSearch }) => ({
  search,
  /** 0: the trucks are the closest ones. */
  count: count.value,
  trucks: trucks.map(toModelTruck),
});

const MAX_WORDS = 200;

/** As many whole words of a text as a search takes; empty where there is none. */
export function toSearchWords(text: string): string {
  const words = text.toWellFormed().replace(/\p{Cc}/gu, ' ');
  const cutWords = words.length > MAX_WORDS ? words.slice(0, words.lastIndexOf(' ', MAX_WORDS) + 1) : words;
  return /[\p{L}\p{N}]/u.test(cutWords) ? cutWords : '';
}

const SHOWN =
  `vin year make model trim class body_type condition price currency mileage color fuel_type engine
  horsepower transmission drivetrain cab wheelbase gvwr stock_number location`.split(/\s+/);

/** The fields of a truck that the model sees; a dealer's descriptions are not among them. */
export const toModelTruck = (truck: Truck): object =>
  Object.fromEntries(Object.entries(truck).filter(([name, value]) => value !== null && SHOWN.includes(name)));
