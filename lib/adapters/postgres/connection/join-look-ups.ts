interface LookUp<Answer> {
  key: string;
  resolve(answer: Answer | undefined): void;
  reject(error: unknown): void;
}

/**
 * Joins the look-ups of one account that start in one turn of the event loop: a message costs about the same whatever it
 * asks for. `ask` returns an answer per key, in order; when it fails, all of its callers do.
 */
export function joinLookUps<Answer>(
  ask: (accountId: string, keys: string[]) => Promise<Answer[]>,
  maxJoined: number,
): (accountId: string, key: string) => Promise<Answer | undefined> {
  const open = new Map<string, LookUp<Answer>[]>();

  async function askAll(accountId: string, lookUps: readonly LookUp<Answer>[]): Promise<void> {
    if (open.get(accountId) === lookUps) open.delete(accountId);
    try {
      const answers = await ask(
        accountId,
        lookUps.map(({ key }) => key),
      );
      for (const [index, { resolve }] of lookUps.entries()) resolve(answers[index]);
    } catch (error) {
      for (const { reject } of lookUps) reject(error);
    }
  }

  return (accountId, key) =>
    new Promise((resolve, reject) => {
      const lookUp = { key, resolve, reject };
      const joined = open.get(accountId);
      if (joined && joined.length < maxJoined) return void joined.push(lookUp);
      const lookUps = [lookUp];
      open.set(accountId, lookUps);
      setImmediate(askAll, accountId, lookUps);
    });
}
