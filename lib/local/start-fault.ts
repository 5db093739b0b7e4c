/** What the user can put right: the folder, the port, the database; `message` says what is wrong and what to do. */
export class StartFault extends Error {
  override name = 'StartFault';
}

export const readCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
