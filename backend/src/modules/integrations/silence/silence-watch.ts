import { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Injectable } from '@nestjs/common';
import { Clock, HOUR } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { eachOnItsOwn } from '../../../platform/jobs/running/each-on-its-own.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import { SuperAdminService } from '../../auth/users/super-admin.service.js';
import { IntegrationWebhookSchema } from '../entities/integration-webhook.entity.js';
import { sources, type Source } from '../shared/sources.js';
import { tellSilence, watchSilence } from '../integrations.jobs.js';
import { IntegrationSilenceSchema } from './integration-silence.entity.js';
import { IntegrationAttention } from './integration-attention.service.js';
import { silenceMail } from './silence.email.js';

type Tables = typeof IntegrationWebhookSchema | typeof IntegrationSilenceSchema;

/** The usual interval is the average of this many, and is not known before there are the fewest. */
const INTERVALS = { most: 50, fewest: 5 };
/** A usual interval is taken to be at least so long: no sender sells evenly through the night. */
const SHORTEST = 8 * HOUR;
const TIMES = 3;

/** Notices senders that have fallen silent, and tells super admins. */
@Injectable()
export class SilenceWatch {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly jobs: Jobs,
    private readonly attention: IntegrationAttention,
    private readonly superAdmins: SuperAdminService,
    private readonly mail: MailService,
  ) {}

  @OnJob(watchSilence)
  async watchAll(_payload: object, { signal }: JobContext): Promise<void> {
    const known = sources.filter((source) => this.config.integrations.secrets[source] !== null);
    await eachOnItsOwn(
      known,
      (source) => this.watch(source),
      signal,
      (source) => ({ source }),
    );
  }

  /** Of a sender that has been heard of meanwhile nothing is said. */
  @OnJob(tellSilence)
  async tell({ source }: { source: Source }, { id }: JobContext): Promise<void> {
    const silence = (await this.attention.silences()).find((one) => one.source === source);
    if (!silence) return;
    for (const admin of await this.superAdmins.active(this.em)) {
      await this.mail.send(silenceMail, {
        to: admin.email,
        language: admin.language,
        values: { source, lastAt: silence.lastReceivedAt, url: `${this.config.appUrl}/${source}-admin/webhook-logs` },
        idempotencyKey: `job-${id}-${admin.id}`,
      });
    }
  }

  /** Tells of a silence once: until the sender is heard of again, and falls silent again. */
  private async watch(source: Source): Promise<void> {
    const heard = await this.heard(source);
    if (heard.length <= INTERVALS.fewest) return;
    const [newest, oldest] = [heard[0]!, heard.at(-1)!];
    const usual = (newest.at.getTime() - oldest.at.getTime()) / (heard.length - 1);
    if (this.clock.now().getTime() - newest.at.getTime() <= TIMES * Math.max(usual, SHORTEST)) return;
    const noted = { webhook_id: newest.id, noted_at: this.clock.now() };
    await inTransaction(this.em, async (em) => {
      const fresh = await query<Tables>(em)
        .insertInto('integration_silences')
        .values({ source, ...noted })
        .onConflict((conflict) =>
          conflict
            .column('source')
            .doUpdateSet(noted)
            .where(sql<boolean>`integration_silences.webhook_id <> excluded.webhook_id`),
        )
        .returning('source')
        .executeTakeFirst();
      if (fresh) await this.jobs.enqueue(em, tellSilence, { source });
    });
  }

  private async heard(source: Source): Promise<{ id: number; at: Date }[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('integration_webhooks')
      .select(['id', 'created_at as at'])
      .where('source', '=', source)
      .orderBy('id', 'desc')
      .limit(INTERVALS.most + 1)
      .execute();
    return rows.map(({ id, at }) => ({ id, at: new Date(at) }));
  }
}
