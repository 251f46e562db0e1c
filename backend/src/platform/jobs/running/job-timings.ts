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
   * How often expired leases are reclaimed. Together with the lease, a job of a crashed worker is requeued within 15
   * seconds.
   */
  readonly sweepInterval: number = 2 * SECOND;
  /** Polling interval for due jobs, in case notifications are lost. */
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
