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

const COMPARED = ['price', 'mileage'] as const;
export type Compared = (typeof COMPARED)[number];

const QUESTIONS = ['use', 'budget', 'body', 'mileage', 'place'] as const;
const DEALER_TOPICS = ['hours', 'place', 'contact'] as const;
export type DealerTopic = (typeof DEALER_TOPICS)[number];
const REFERRALS = [
  'finance',
  'trade_in',
  'discount',
  'warranty',
  'delivery',
  'inspection',
  'documents',
  'other',
] as const;

const MAX_SEGMENTS = 6;
const MAX_VINS = 6;

const Vin = z.string().check(z.maxLength(40));
const Vins = z.array(Vin).check(z.maxLength(MAX_VINS));
const Facts = z._default(z.array(z.enum(FACTS)).check(z.maxLength(6)), []);
const segment = <Say extends string, Shape extends z.core.$ZodLooseShape>(say: Say, shape: Shape) =>
  z.object({ say: z.literal(say), ...shape });

const Segment = z.discriminatedUnion('say', [
  segment('greet', {}),
  segment('thank', {}),
  segment('goodbye', {}),
  segment('trucks', { vins: Vins, search: z.optional(z.int()), similar_to: z.optional(Vin), facts: Facts }),
  segment('count', { search: z.int() }),
  segment('compare', { vins: Vins, by: z.enum(COMPARED) }),
  segment('available', { vin: Vin }),
  segment('ask', { about: z.enum(QUESTIONS) }),
  segment('dealer', { topic: z.enum(DEALER_TOPICS) }),
  segment('refer', { topic: z.enum(REFERRALS) }),
  segment('decline', {}),
]);
export type Segment = z.output<typeof Segment>;

/** JSON Schema of an answer. */
export const ANSWER_SCHEMA = z.toJSONSchema(z.object({ segments: z.array(Segment) }), { io: 'input' });

/** The segments of what a model answered, at most six; whatever is none is left out. */
export function readChoice(answer: unknown): Segment[] {
  const segments =
    typeof answer === 'object' && answer !== null && 'segments' in answer ? answer.segments : null;
  if (!Array.isArray(segments)) return [];
  return segments.slice(0, MAX_SEGMENTS).flatMap((one) => {
    const read = Segment.safeParse(one);
    return read.success ? [read.data] : [];
  });
}
