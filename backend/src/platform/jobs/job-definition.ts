import { MINUTE } from '../clock/clock.js';
import type { QueueName } from './queues.js';

/** Attempts before a job is dead; with the backoff they span about 40 minutes. */
const MAX_ATTEMPTS = 10;

/** Statement limit for jobs that read whole tables, in milliseconds. */
export const LONG_STATEMENT_LIMIT = 10 * MINUTE;

/**
 * A job type: its name and payload, separate from the method that runs it (`@OnJob`). The payload is stored in the
 * database and shown to admins: it must contain ids, never a secret, a token or a code.
 */
export interface JobDefinition<P extends object = object> {
  readonly name: string;
  readonly queue: QueueName;
  readonly maxAttempts: number;
  /** Time limit of each statement, in milliseconds; undefined for the default (`timeouts`). */
  readonly statementLimit?: number;
  /** Cron expression in UTC with five fields, or six with seconds first; undefined for jobs that only code enqueues. */
  readonly cron?: string;
  /** Never set; carries the payload type. */
  readonly payload?: P;
}

/** The payload of a cron job. */
export interface CronRunPayload {
  /** The scheduled time of this run, ISO 8601. */
  readonly slot: string;
}

/** Payload types that the handler of a cron job may declare. */
type CronPayload = CronRunPayload | Record<string, never>;

/** A job that is enqueued once per scheduled time of `cron`. */
export interface CronJobDefinition<P extends CronPayload = CronPayload> extends JobDefinition<P> {
  readonly cron: string;
}

/** Information about the run, passed to the handler with the payload. */
export interface JobContext {
  /** The job's id; the same for all attempts. */
  readonly id: number;
  /** Starts at 1. */
  readonly attempt: number;
  /** If this attempt fails, the job is kept as dead. */
  readonly isLastAttempt: boolean;
  /** Aborted when the process stops or another worker has taken over the lease. */
  readonly signal: AbortSignal;
}

export interface JobOptions {
  readonly queue: QueueName;
  readonly maxAttempts?: number;
  readonly statementLimit?: number;
}

const definitions = new Map<string, JobDefinition>();

/**
 * Declares a job, in the file of its module (`zones.jobs.ts`). The name is that of the constant, after its module: it is
 * stored with each waiting job, so renaming one needs a migration.
 * @throws Error when the name is already used
 */
export function defineJob<P extends CronPayload = CronRunPayload>(
  name: string,
  options: JobOptions & { cron: string },
): CronJobDefinition<P>;
export function defineJob<P extends object>(name: string, options: JobOptions): JobDefinition<P>;
export function defineJob(name: string, options: JobOptions & { cron?: string }): JobDefinition {
  if (definitions.has(name)) throw new Error(`Two jobs are named "${name}".`);
  const definition = Object.freeze({ name, maxAttempts: MAX_ATTEMPTS, ...options });
  definitions.set(name, definition);
  return definition;
}

/** Returns all jobs declared by the modules loaded so far. */
export function allJobDefinitions(): JobDefinition[] {
  return [...definitions.values()];
}

/** Returns the declared cron jobs. */
export function allCronJobDefinitions(): CronJobDefinition[] {
  return allJobDefinitions().filter((job): job is CronJobDefinition => job.cron !== undefined);
}
