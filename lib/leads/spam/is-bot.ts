/** Whether a user agent is a known bot's (by the `isbot` package, read on first use); none at all is one. */
export async function isBot(userAgent: string | null): Promise<boolean> {
  if (userAgent === null || userAgent.trim() === '') return true;
  const { isbot } = await import('isbot');
  return isbot(userAgent.slice(0, 1_000));
}
