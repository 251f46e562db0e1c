import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import { query } from '../../platform/database/query.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import { purchaseNoticeMail } from './emails/purchase-notice.email.js';
import { purchaseWelcomeMail } from './emails/purchase-welcome.email.js';
import { EntitlementSchema } from './entities/entitlement.entity.js';
import { IntegrationWebhookSchema } from './entities/integration-webhook.entity.js';
import { PurchasePasswordService } from './purchase-password.service.js';
import { tellPurchase } from './tell-purchase.job.js';

type Tables = typeof EntitlementSchema | typeof UserSchema | typeof ZoneSchema | typeof IntegrationWebhookSchema;

/** The temporary password is made here, when it is sent: so no job holds one, and a second try voids the first one. */
@Injectable()
@JobHandler(tellPurchase)
export class TellPurchaseHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly passwords: PurchasePasswordService,
    private readonly mail: MailService,
  ) {}

  async handle({ entitlementId }: { entitlementId: number }, { id }: JobContext): Promise<void> {
    const purchase = await this.find(entitlementId);
    if (!purchase) return;
    await this.send(purchase, `job-${id}`);
    if (purchase.webhookId === null) return;
    await query<Tables>(this.em)
      .updateTable('integration_webhooks')
      .set({ email_sent: true })
      .where('id', '=', purchase.webhookId)
      .execute();
  }

  private async send({ email, language, zoneId, zoneName, password }: Purchase, idempotencyKey: string) {
    if (password !== null) {
      const values = { url: `${this.config.appUrl}/zones/${zoneId}`, zoneName };
      return this.mail.send(purchaseNoticeMail, { to: email, language, values, idempotencyKey });
    }
    const signIn = new URLSearchParams({ mode: 'login', email, temp: 'true' });
    const url = `${this.config.appUrl}/auth?${signIn}`;
    const values = { url, zoneName, password: await this.passwords.issue(email) };
    return this.mail.send(purchaseWelcomeMail, { to: email, language, values, idempotencyKey });
  }

  /** Nobody is written to who has been shut out, or whose purchase was taken back meanwhile. */
  private find(entitlementId: number): Promise<Purchase | undefined> {
    return query<Tables>(this.em)
      .selectFrom('entitlements as e')
      .innerJoin('users as u', 'u.id', 'e.user_id')
      .innerJoin('zones as z', 'z.id', 'e.zone_id')
      .select(['u.email as email', 'u.language as language', 'u.password as password'])
      .select(['z.id as zoneId', 'z.name as zoneName', 'e.webhook_id as webhookId'])
      .where('e.id', '=', entitlementId)
      .where('e.state', '=', 'granted')
      .where('u.deactivated_at', 'is', null)
      .where('z.deleted_at', 'is', null)
      .executeTakeFirst();
  }
}

interface Purchase {
  readonly email: string;
  readonly language: 'en' | 'tr';
  readonly password: string | null;
  readonly zoneId: number;
  readonly zoneName: string;
  readonly webhookId: number | null;
}
