/** What a run of a job came to. */
export interface JobRun {
  /** `busy`: another worker has the job. */
  outcome: 'done' | 'busy';
  /** What it counted. */
  result: object | null;
}
