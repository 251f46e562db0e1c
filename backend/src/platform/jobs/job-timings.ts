import { Injectable } from '@nestjs/common';
import { SECOND } from '../clock/clock.js';

/** How the machinery of jobs is paced, in milliseconds. */
@Injectable()
export class JobTimings {
  /** A claimed job belongs to its worker this long, and again after each heartbeat. */
  readonly lease: number = 60 * SECOND;
  readonly heartbeat: number = 20 * SECOND;
  /** How often jobs of workers that died are looked for. */
  readonly sweep: number = 15 * SECOND;
  /** How often due jobs are looked for when no signal comes. */
  readonly poll: number = SECOND;
  /** A message about a job that nobody has claimed is sent again after this time. */
  readonly announceAgain: number = 15 * SECOND;
  /** Commits within this time share one signal. */
  readonly coalesce: number = 20;
  /** How long a stopping worker waits for the jobs under way. */
  readonly grace: number = 10 * SECOND;
}
