/**
 * Brings due jobs from the database to the runner of this process, from `start` until `stop`. The row decides
 * whether a job runs: a transport only says when to look, so losing everything it holds loses no job.
 */
export abstract class JobTransport {
  abstract start(): Promise<void>;
  /** Resolves when no further job will be claimed; those under way go on. */
  abstract stop(): Promise<void>;
}
