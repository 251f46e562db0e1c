import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock, HOUR } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { webhookSources, type WebhookSource } from '../shared/sources.js';
import { notifyInactivity, detectInactivity } from '../integrations.jobs.js';
import { WebhookRepository } from '../webhooks/webhook.repository.js';
import { InactivityRepository } from './inactivity.repository.js';
import { inactivityEmail } from './inactivity.email.js';

/** The usual interval is the average of up to `most` intervals, and unknown below `fewest`. */
const INTERVAL_COUNTS = { most: 50, fewest: 5 };
/** Minimum usual interval, in milliseconds, because no sender sells evenly through the night. */
const MIN_INTERVAL = 8 * HOUR;
const INACTIVITY_FACTOR = 3;

/** Detects inactive senders, and notifies super admins. */
@Injectable()
export class InactivityMonitorService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly jobs: JobsService,
    private readonly inactivity: InactivityRepository,
    private readonly webhooks: WebhookRepository,
    private readonly users: UserRepository,
    private readonly email: EmailService,
  ) {}

  @OnJob(detectInactivity)
  async detectInactivity(_payload: object, { signal }: JobContext): Promise<void> {
    const known = webhookSources.filter((source) => this.config.integrations.secrets[source] !== null);
    await forEachIsolated(
      known,
      (source) => this.checkSource(source),
      signal,
      (source) => ({ source }),
    );
  }

  /** Sends nothing about a sender that has become active again. */
  @OnJob(notifyInactivity)
  async notifyInactivity({ source }: { source: WebhookSource }, { id }: JobContext): Promise<void> {
    const sender = (await this.inactivity.listInactiveSenders()).find((inactive) => inactive.source === source);
    if (!sender) return;
    for (const admin of await this.users.findActiveSuperAdmins(this.em)) {
      await this.email.send(inactivityEmail, {
        to: admin.email,
        language: admin.language,
        values: { source, lastAt: sender.lastReceivedAt, url: `${this.config.appUrl}/${source}-admin/webhook-logs` },
        idempotencyKey: `job-${id}-${admin.id}`,
      });
    }
  }

  /** Reports inactivity once, and again only after the sender was active in between. */
  private async checkSource(source: WebhookSource): Promise<void> {
    const deliveries = await this.webhooks.listRecent(source, INTERVAL_COUNTS.most + 1);
    if (deliveries.length <= INTERVAL_COUNTS.fewest) return;
    const [newest, oldest] = [deliveries[0]!, deliveries.at(-1)!];
    const usualInterval = (newest.at.getTime() - oldest.at.getTime()) / (deliveries.length - 1);
    if (this.clock.now().getTime() - newest.at.getTime() <= INACTIVITY_FACTOR * Math.max(usualInterval, MIN_INTERVAL))
      return;
    await inTransaction(this.em, async (em) => {
      const isNew = await this.inactivity.insertInactivity(em, source, newest.id);
      if (isNew) await this.jobs.enqueue(em, notifyInactivity, { source });
    });
  }
}
