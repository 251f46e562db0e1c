import { Injectable } from '@nestjs/common';
import { MINUTE, SECOND } from '../../clock/clock.js';
import { timeouts } from '../../database/pool/timeouts.js';

/** How the machinery of jobs is paced, in milliseconds. */
@Injectable()
export class JobTimings {
  /** A claimed job belongs to its worker this long, and again after each heartbeat. */
  readonly leaseDuration: number = 12 * SECOND;
  readonly heartbeatInterval: number = 4 * SECOND;
  /** How often jobs of workers that died are looked for: with the lease, what one held is back within 15 seconds. */
  readonly sweepInterval: number = 2 * SECOND;
  /** How often due jobs are looked for when no signal comes. */
  readonly pollInterval: number = SECOND;
  /** A message about a job that nobody has claimed is sent again after this time. */
  readonly redispatchAfter: number = 15 * SECOND;
  /** Messages about jobs that are due within this time are sent ahead, and kept by Redis until then. */
  readonly dispatchAhead: number = MINUTE;
  /** Commits within this time share one signal. */
  readonly notifyDelay: number = 20;
  /** How often the link for signals is asked whether anybody is there. */
  readonly probeInterval: number = 10 * SECOND;
  /** How long that link may take to be made, and to answer. */
  readonly connectionTimeout: number = timeouts.connect;
  /** How long a stopping worker waits for the jobs under way. */
  readonly shutdownGrace: number = 10 * SECOND;
}
