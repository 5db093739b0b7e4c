/** Returns all results once each has ended; throws what was thrown first. */
export async function settleAll<T>(work: readonly Promise<T>[]): Promise<T[]> {
  try {
    return await Promise.all(work);
  } finally {
    await Promise.allSettled(work);
  }
}
