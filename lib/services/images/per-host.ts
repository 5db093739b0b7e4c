/** At most this many images at a time, and from one host. */
const MAX_CONCURRENCY = 6;
const MAX_PER_HOST = 3;

/** Runs `work` for every job, in order as far as the bounds allow. A throw ends the batch once what runs has ended. */
export async function perHost<Job extends { host: string }>(
  jobs: readonly Job[],
  work: (job: Job) => Promise<void>,
): Promise<void> {
  const waiting = [...jobs];
  const busy = new Map<string, number>();
  const lane = async () => {
    for (;;) {
      const at = waiting.findIndex(({ host }) => (busy.get(host) ?? 0) < MAX_PER_HOST);
      const [job] = at < 0 ? [] : waiting.splice(at, 1);
      // Whoever is at that host takes the rest of it.
      if (!job) return;
      busy.set(job.host, (busy.get(job.host) ?? 0) + 1);
      try {
        await work(job);
      } catch (error) {
        waiting.length = 0;
        throw error;
      } finally {
        busy.set(job.host, (busy.get(job.host) ?? 1) - 1);
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: MAX_CONCURRENCY }, lane));
  const failed = lanes.find((ended) => ended.status === 'rejected');
  if (failed) throw failed.reason;
}
