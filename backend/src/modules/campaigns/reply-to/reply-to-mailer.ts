import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { fullName, UserSchema } from '../../auth/entities/user.entity.js';
import { SingleUseTokenRepository } from '../../auth/tokens/single-use-token.repository.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { SuppressionRepository } from '../../zones/leaving/suppression.repository.js';
import { ZoneMailSettingsSchema } from '../entities/zone-mail-settings.entity.js';
import { sendReplyToLink } from '../campaigns.jobs.js';
import { replyToLinkEmail } from './reply-to-link.email.js';

const LINK_TTL = 7 * DAY;

type Tables = typeof ZoneMailSettingsSchema | typeof ZoneSchema | typeof UserSchema;

@Injectable()
export class ReplyToMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly tokens: SingleUseTokenRepository,
    private readonly suppressions: SuppressionRepository,
    private readonly email: EmailService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Creates the token at sending time, so that no job payload contains it and a newer email invalidates earlier links.
   */
  @OnJob(sendReplyToLink)
  async sendLink({ zoneId }: { zoneId: number }, { id }: JobContext): Promise<void> {
    const found = await this.findPendingReplyTo(zoneId);
    if (!found) return;
    const { ownerId, email, zoneName } = found;
    // The owner is not notified, so that they don't learn who complained elsewhere or deleted an account.
    if ((await this.suppressions.findSuppressed(this.em, ownerId, [email])).has(email)) return;
    const subject = String(zoneId);
    const token = await inTransaction(this.em, async (em) => {
      await this.tokens.revokeTokensOfSubject(em, 'prove-reply-to', subject);
      return this.tokens.issueToken(em, { email, purpose: 'prove-reply-to', subject }, LINK_TTL);
    });
    await this.email.send(replyToLinkEmail, {
      to: email,
      language: found.language as Language,
      values: {
        url: `${this.config.appUrl}/reply-to?token=${token}`,
        zoneName,
        ownerName: fullName(found),
      },
      idempotencyKey: `job-${id}`,
    });
  }

  private async findPendingReplyTo(zoneId: number) {
    const row = await query<Tables>(this.em)
      .selectFrom('zone_mail_settings as s')
      .innerJoin('zones as z', 'z.id', 's.zone_id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['s.reply_to as email', 'z.name as zoneName', 'o.id as ownerId', 'o.language as language'])
      .select(['o.first_name as firstName', 'o.last_name as lastName'])
      .where('s.zone_id', '=', zoneId)
      .where('s.reply_to', 'is not', null)
      .where('s.reply_to_proved_at', 'is', null)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null)
      .where('o.erased_at', 'is', null)
      .executeTakeFirst();
    return row?.email ? { ...row, email: row.email } : null;
  }
}
