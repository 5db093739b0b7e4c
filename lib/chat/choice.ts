import * as z from 'zod/mini';

/** What a model may choose to have said: enumerations, VINs and numbers of searches. No word of its own is among it. */

/** Facts of a truck beside its price, by the ids of its card's lines. */
const FACTS = [
  'mileage',
  'engine',
  'transmission',
  'drivetrain',
  'axles',
  'gvwr',
  'class',
  'body',
  'cab',
  'fuel',
  'wheelbase',
  'color',
  'condition',
  'features',
  'location',
  'stock_number',
  'listed',
] as const;
export type Fact = (typeof FACTS)[number];

const Vin = z.string().check(z.maxLength(40));
const Vins = z.array(Vin).check(z.maxLength(6));
const Facts = z._default(z.array(z.enum(FACTS)).check(z.maxLength(6)), []);
const segment = <Say extends string, Shape extends z.core.$ZodLooseShape>(say: Say, shape: Shape) =>
  z.object({ say: z.literal(say), ...shape });

const Segment = z.discriminatedUnion('say', [
  z.object({ say: z.enum(['greet', 'thank', 'goodbye', 'decline']) }),
  segment('trucks', { vins: Vins, search: z.optional(z.int()), facts: Facts }),
  segment('compare', { vins: Vins, by: z.enum(['price', 'mileage']) }),
  segment('available', { vin: Vin }),
  segment('ask', { about: z.enum(['use', 'budget', 'body', 'mileage', 'place']) }),
  segment('dealer', { topic: z.enum(['hours', 'place', 'contact']) }),
  segment('refer', {
    topic: z.enum([
      'finance',
      'trade_in',
      'discount',
      'warranty',
      'delivery',
      'inspection',
      'documents',
      'other',
    ]),
  }),
]);
export type Segment = z.output<typeof Segment>;

/** JSON Schema of an answer. */
export const ANSWER_SCHEMA = z.toJSONSchema(z.object({ segments: z.array(Segment) }), { io: 'input' });

/** Returns at most six segments of a model's answer; leaves out what is no segment. */
export function readChoice(answer: unknown): Segment[] {
  const { segments } = Object(answer);
  if (!Array.isArray(segments)) return [];
  return segments.slice(0, 6).flatMap((one: unknown) => {
    const segment = Segment.safeParse(one);
    return segment.success ? [segment.data] : [];
  });
}
