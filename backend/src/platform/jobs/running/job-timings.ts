import { Injectable } from '@nestjs/common';
import { MINUTE, SECOND } from '../../clock/clock.js';
import { timeouts } from '../../database/pool/timeouts.js';

/** Timing of job processing, in milliseconds. */
@Injectable()
export class JobTimings {
  /** Lease of a claimed job; each heartbeat renews it. */
  readonly leaseDuration: number = 12 * SECOND;
  readonly heartbeatInterval: number = 4 * SECOND;
  /**
   * How often a worker looks for jobs that have become due, in case notifications are lost, and for those of crashed
   * workers. These are requeued within 15 seconds, together with the lease.
   */
  readonly pollInterval: number = SECOND;
  /** A message about a job that nobody has claimed is sent again after this time. */
  readonly redispatchAfter: number = 15 * SECOND;
  /** Messages for jobs that are due within this time are sent ahead, and delayed by Redis. */
  readonly dispatchAhead: number = MINUTE;
  /** Commits within this time share a notification. */
  readonly notifyDelay: number = 20;
  /** How often the notification connection is probed. */
  readonly probeInterval: number = 10 * SECOND;
  /** Timeout for opening that connection, and for each response. */
  readonly connectionTimeout: number = timeouts.connect;
  /** How long a stopping worker waits for running jobs. */
  readonly shutdownGrace: number = 10 * SECOND;
}
