import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { ZoneMemberSchema } from '../../zones/entities/zone-member.entity.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { blockedCustomerEmail } from '../emails/blocked-customer.email.js';
import { notifyBlockedCustomerPurchase } from '../integrations.jobs.js';

type Tables = typeof ZoneMemberSchema | typeof ZoneSchema | typeof UserSchema;

/** Notifies owners of purchases that ended one of their blocks. */
@Injectable()
export class BlockedCustomerMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly email: EmailService,
  ) {}

  /** Sends nothing if the customer is no longer a member. */
  @OnJob(notifyBlockedCustomerPurchase)
  async notifyOwner({ zoneId, userId }: { zoneId: number; userId: number }, { id }: JobContext): Promise<void> {
    const row = await query<Tables>(this.em)
      .selectFrom('zone_members as m')
      .innerJoin('zones as z', 'z.id', 'm.zone_id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['m.email as customer', 'z.name as zoneName', 'o.email as to', 'o.language as language'])
      .where('m.zone_id', '=', zoneId)
      .where('m.user_id', '=', userId)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null)
      .executeTakeFirst();
    if (!row) return;
    const { to, language, zoneName, customer } = row;
    const values = { zoneName, customer, url: `${this.config.appUrl}/zones/${zoneId}` };
    await this.email.send(blockedCustomerEmail, { to, language, values, idempotencyKey: `job-${id}` });
  }
}
