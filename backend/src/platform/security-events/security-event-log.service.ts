import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuditType } from '../audit/audit-types.js';
import { addMilliseconds, Clock, DAY } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { networkOf } from '../http/networks/client-network.js';
import { defineJob, LONG_STATEMENT_LIMIT } from '../jobs/job-definition.js';
import { OnJob } from '../jobs/on-job.decorator.js';
import type { SecurityEventKind } from './security-event-kinds.js';
import { SecurityEventRepository } from './security-event.repository.js';
import { SecurityMetrics } from './security-metrics.js';

/** Deletes security events, including their networks, after the retention period (90 days by default). */
export const purgeSecurityEvents = defineJob('security-events.purge-security-events', {
  queue: 'maintenance',
  cron: '41 3 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Rows deleted per statement, which keeps locks short. */
const BATCH_SIZE = 5000;

export interface SecurityEventInput {
  readonly kind: SecurityEventKind;
  /** The reason or subject: one of our own keywords, never user input. */
  readonly detail: string;
  /** The affected user, if known. */
  readonly userId?: number | null;
  /** The client's IP address; only its network is stored. */
  readonly ipAddress?: string | null;
}

const auditTypeByKind = {
  'sign-in-failed': 'security.sign-in-failed',
  'confirmation-failed': 'security.confirmation-failed',
  'locked-out': 'security.locked-out',
  'webhook-refused': 'security.webhook-refused',
  'token-network': 'security.token-network',
  'new-device': 'security.new-device',
} satisfies Record<SecurityEventKind, AuditType>;

/**
 * Records security events: series with counts in `security_events`, the first event of each also in the audit log, and
 * metrics. Storage is bounded whatever attackers send, see `SecurityEventRepository`.
 */
@Injectable()
export class SecurityEventLogService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: SecurityEventRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly metrics: SecurityMetrics,
  ) {}

  /**
   * Records a rejection outside of the caller's transaction, because the rejection rolls that back. Runs a single
   * statement whether the user is known or not, so that its timing reveals nothing.
   */
  async recordRejection(event: SecurityEventInput): Promise<void> {
    this.metrics.increment(event.kind, event.detail);
    await this.upsertSeries(this.em.fork(), event);
  }

  /** Records an event in the transaction of `em`. */
  async recordEvent(em: EntityManager, event: SecurityEventInput): Promise<void> {
    await this.upsertSeries(em, event);
  }

  /** Counts a rejected API token in the metrics; nothing is stored. */
  countRejectedToken(reason: 'unknown' | 'scope'): void {
    this.metrics.increment('token-refused', reason);
  }

  /**
   * Deletes events when the audit log loses its IP addresses, because an event is of little use without its network.
   */
  @OnJob(purgeSecurityEvents)
  async purgeOldEvents(): Promise<void> {
    const days = this.config.retention.ips;
    if (days === 0) return;
    const before = addMilliseconds(this.clock.now(), -days * DAY)
      .toISOString()
      .slice(0, 10);
    for (let deletedCount = BATCH_SIZE; deletedCount === BATCH_SIZE;) {
      deletedCount = await this.events.deleteEventsBefore(before, BATCH_SIZE);
    }
  }

  private upsertSeries(em: EntityManager, { kind, detail, userId, ipAddress }: SecurityEventInput): Promise<void> {
    return this.events.upsertSeries(em, {
      kind,
      detail,
      userId: userId ?? null,
      network: networkOf(ipAddress).slice(0, 64),
      at: this.clock.now(),
      auditType: auditTypeByKind[kind],
    });
  }
}
