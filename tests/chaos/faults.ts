import type { Blackhole, Mode } from '../support/servers/blackhole.ts';
import type { World } from './world.ts';

/** Something that goes wrong, and comes right again. */
export interface Fault {
  name: string;
  /** Of faults of one part, one at a time. */
  part: string;
  begin(): unknown;
  end(): unknown;
}

export function listFaults(world: World): Fault[] {
  const { postgres, redis, smtp, lines } = world;
  return [
    { name: 'PostgreSQL crashes', part: 'database', begin: postgres.crash, end: postgres.start },
    { name: 'PostgreSQL stands still', part: 'database', begin: postgres.pause, end: postgres.resume },
    ...darken('database', lines.database, ['swallow', 'refuse', 'slow']),
    { name: 'Redis hangs', part: 'redis', begin: redis.pause, end: redis.resume },
    { name: 'Redis is gone', part: 'redis', begin: redis.kill, end: redis.restart },
    ...darken('smtp', lines.smtp, ['swallow', 'refuse', 'slow']),
    { name: 'SMTP answers 451', part: 'smtp', begin: () => smtp.answer(451, 451, 421), end: () => undefined },
    ...darken('s3', lines.s3, ['swallow', 'refuse', 'slow']),
    ...darken('ai', lines.ai, ['swallow', 'refuse']),
  ];
}

function darken(part: string, line: Blackhole, modes: readonly Mode[]): Fault[] {
  return modes.map((mode) => ({
    name: `${part}: ${mode}`,
    part,
    begin: () => line.set(mode),
    // Connections to the database stay dark, as after a failover; the service has to find out.
    end: () => (part === 'database' ? line.set('forward') : breakOff(line)),
  }));
}

/** Ends what hangs, so that nothing of a fault outlives it for longer than its timeouts. */
async function breakOff(line: Blackhole): Promise<void> {
  await line.set('refuse');
  await line.set('forward');
}
