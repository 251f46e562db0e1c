import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { hasPermanentSignInSql } from '../../auth/access/user.sql.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { purchaseNoticeEmail } from '../emails/purchase-notice.email.js';
import { purchaseWelcomeEmail } from '../emails/purchase-welcome.email.js';
import { EntitlementSchema } from '../entities/entitlement.entity.js';
import { IntegrationWebhookSchema } from '../entities/integration-webhook.entity.js';
import { notifyPurchase } from '../integrations.jobs.js';
import { PurchasePasswordService } from './purchase-password.service.js';

type Tables = typeof EntitlementSchema | typeof UserSchema | typeof ZoneSchema | typeof IntegrationWebhookSchema;

interface PurchaseRecipient {
  readonly email: string;
  readonly language: Language;
  /** The customer has a way to sign in, so no temporary password is sent. */
  readonly hasOwnSignIn: boolean;
}

interface OpenedZone {
  readonly id: number;
  readonly name: string;
}

@Injectable()
export class PurchaseMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly passwords: PurchasePasswordService,
    private readonly email: EmailService,
  ) {}

  /** The temporary password is created when the email is sent, so that no job contains one. */
  @OnJob(notifyPurchase)
  async notifyCustomer({ userId }: { userId: number }, { id }: JobContext): Promise<void> {
    await this.claimNotices(userId, id);
    const zones = await this.listOpenedZones(userId, id);
    const customer = await this.findRecipient(userId);
    const shouldNotify = customer !== undefined && zones.length > 0;
    const outcome = shouldNotify ? await this.send(customer, zones, `job-${id}`) : null;
    await this.completeNotices(userId, id, outcome === 'sent');
  }

  /**
   * Claims the pending notices of the customer; those claimed by another job are sent by that job. A retry finds the
   * same ones.
   */
  private async claimNotices(userId: number, jobId: number): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('entitlements')
      .set({ notice_job_id: jobId })
      .where('user_id', '=', userId)
      .where('is_notice_due', '=', true)
      .where('notice_job_id', 'is', null)
      .execute();
  }

  /** Returns the zones to report, without duplicates; zones closed or deleted in the meantime are omitted. */
  private listOpenedZones(userId: number, jobId: number): Promise<OpenedZone[]> {
    return query<Tables>(this.em)
      .selectFrom('entitlements as e')
      .innerJoin('zones as z', 'z.id', 'e.zone_id')
      .select(['z.id as id', 'z.name as name'])
      .distinct()
      .where('e.user_id', '=', userId)
      .where('e.notice_job_id', '=', jobId)
      .where('e.is_notice_due', '=', true)
      .where('e.state', '=', 'granted')
      .where('z.deleted_at', 'is', null)
      .orderBy('z.name')
      .orderBy('z.id')
      .execute();
  }

  /** Returns nothing for users who are deactivated, so that they get no email. */
  private findRecipient(id: number): Promise<PurchaseRecipient | undefined> {
    return query<Tables>(this.em)
      .selectFrom('users as u')
      .select(['email', 'language'])
      .select(sql<boolean>`${sql.raw(hasPermanentSignInSql)}`.as('hasOwnSignIn'))
      .where('id', '=', id)
      .where('deactivated_at', 'is', null)
      .executeTakeFirst();
  }

  private async send(
    { email, language, hasOwnSignIn }: PurchaseRecipient,
    zones: OpenedZone[],
    idempotencyKey: string,
  ) {
    const { appUrl } = this.config;
    const zoneNames = zones.map(({ name }) => name);
    if (hasOwnSignIn) {
      const url = zones.length === 1 ? `${appUrl}/zones/${zones[0]!.id}` : `${appUrl}/shared-zones`;
      return this.email.send(purchaseNoticeEmail, { to: email, language, values: { url, zoneNames }, idempotencyKey });
    }
    const signIn = new URLSearchParams({ mode: 'login', email, temp: 'true' });
    const values = { url: `${appUrl}/auth?${signIn}`, zoneNames, password: await this.passwords.issuePassword(email) };
    return this.email.send(purchaseWelcomeEmail, { to: email, language, values, idempotencyKey });
  }

  private completeNotices(userId: number, jobId: number, isSent: boolean): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const completed = await query<Tables>(em)
        .updateTable('entitlements')
        .set({ is_notice_due: false, notice_job_id: null })
        .where('user_id', '=', userId)
        .where('notice_job_id', '=', jobId)
        .returning(['webhook_id as webhookId', 'state'])
        .execute();
      const webhookIds = completed.flatMap(({ webhookId, state }) =>
        state === 'granted' && webhookId !== null ? webhookId : [],
      );
      if (!isSent || webhookIds.length === 0) return;
      await query<Tables>(em)
        .updateTable('integration_webhooks')
        .set({ email_sent: true })
        .where('id', 'in', webhookIds)
        .execute();
    });
  }
}
