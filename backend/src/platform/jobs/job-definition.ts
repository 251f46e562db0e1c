import { MINUTE } from '../clock/clock.js';
import type { QueueName } from './queues.js';

/** Tries before a job is kept as dead; with the back-off they span about 40 minutes. */
const MAX_ATTEMPTS = 10;

/** What one statement of a job may take that goes through whole tables, in milliseconds. */
export const LONG_STATEMENT_LIMIT = 10 * MINUTE;

/**
 * A kind of work: its name and the shape of its payload, apart from the method that does it (`@OnJob`).
 * A payload is kept in the database and shown to admins: it holds ids, never a secret, a token or a code.
 */
export interface JobDefinition<P extends object = object> {
  readonly name: string;
  readonly queue: QueueName;
  readonly maxAttempts: number;
  /** What one statement of it may take, in milliseconds; undefined is what every statement may (`timeouts`). */
  readonly statementLimit?: number;
  /** UTC, five fields, or six with seconds first; undefined for jobs that only code enqueues. */
  readonly cron?: string;
  /** Never set: carries the type of the payload. */
  readonly payload?: P;
}

/** The payload of a clock job. */
export interface CronRunPayload {
  /** The tick that the job belongs to, ISO 8601. */
  readonly slot: string;
}

/** What the handler of a clock job may take: the tick, or nothing of interest. */
type CronPayload = CronRunPayload | Record<string, never>;

/** A job that the clock enqueues, once for each tick of `cron`. */
export interface CronJobDefinition<P extends CronPayload = CronPayload> extends JobDefinition<P> {
  readonly cron: string;
}

/** What a handler is told about the run beside the payload. */
export interface JobContext {
  /** Of the job: the same at each try. */
  readonly id: number;
  /** 1 on the first try. */
  readonly attempt: number;
  /** After a failure now, the job is kept as dead. */
  readonly isLastAttempt: boolean;
  /** Aborted when the job is taken away: the process stops, or the lease was lost to another worker. */
  readonly signal: AbortSignal;
}

export interface JobOptions {
  readonly queue: QueueName;
  readonly maxAttempts?: number;
  readonly statementLimit?: number;
}

const definitions = new Map<string, JobDefinition>();

/**
 * Declares a job, in the file of its module (`zones.jobs.ts`). The name is stored with each job: it never changes.
 * @throws Error when the name is taken
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

/** Every job that the code loaded so far has declared. */
export function allJobDefinitions(): JobDefinition[] {
  return [...definitions.values()];
}

/** Those of them that the clock enqueues. */
export function allCronJobDefinitions(): CronJobDefinition[] {
  return allJobDefinitions().filter((job): job is CronJobDefinition => job.cron !== undefined);
}
