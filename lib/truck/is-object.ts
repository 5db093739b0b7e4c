/** An object or an array. */
export const isNested = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  isNested(value) && !Array.isArray(value);
