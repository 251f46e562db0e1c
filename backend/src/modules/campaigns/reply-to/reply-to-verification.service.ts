import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../../auth/auth.errors.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { SingleUseTokenRepository, type StoredToken } from '../../auth/tokens/single-use-token.repository.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { NonMemberEmailQuotaService } from '../../zones/email-quota/non-member-email-quota.service.js';
import type { ReplyToLinkStateDto } from '../dto/mail-settings.dto.js';
import { ZoneMailSettingsSchema } from '../entities/zone-mail-settings.entity.js';
import type { ZoneRef } from '../audience/recipient.service.js';
import { replyToErrors } from './reply-to.errors.js';
import { sendReplyToLink } from '../campaigns.jobs.js';

type Tables = typeof ZoneMailSettingsSchema | typeof ZoneSchema | typeof UserSchema;

/**
 * Verifies that an address agrees to receive replies to a zone's emails, so that nobody is flooded with replies to
 * someone else's emails.
 */
@Injectable()
export class ReplyToVerificationService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly tokens: SingleUseTokenRepository,
    private readonly nonMemberEmailQuota: NonMemberEmailQuotaService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Saves the reply-to address in the caller's transaction. The owner's own verified address counts as confirmed; any
   * other new address gets a link if the daily limit for non-member emails allows it. An unchanged address stays
   * confirmed.
   * @param replyTo null for the owner's own address; undefined leaves it unchanged
   */
  async saveReplyTo(em: EntityManager, { id, ownerId }: ZoneRef, replyTo: string | null | undefined): Promise<void> {
    const rows = query<Tables>(em);
    if (replyTo !== undefined) {
      await rows
        .updateTable('zone_mail_settings')
        .set({ reply_to: replyTo, reply_to_proved_at: null, reply_to_asked_at: null })
        .where('zone_id', '=', id)
        .where('reply_to', 'is distinct from', replyTo)
        .execute();
    }
    await rows
      .updateTable('zone_mail_settings')
      .set({ reply_to_proved_at: this.clock.now() })
      .where('zone_id', '=', id)
      .where('reply_to_proved_at', 'is', null)
      .where('reply_to', 'in', (of) =>
        of.selectFrom('users').select('email').where('id', '=', ownerId).where('email_verified', '=', true),
      )
      .execute();
    const unverified = await rows
      .selectFrom('zone_mail_settings')
      .select('reply_to as email')
      .where('zone_id', '=', id)
      .where('reply_to_proved_at', 'is', null)
      .where('reply_to_asked_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (unverified?.email) await this.sendVerification(em, { id, ownerId }, unverified.email);
  }

  /**
   * Sends the link again.
   * @throws NOTHING_TO_PROVE
   * @throws REPLY_TO_MAIL_LIMIT because it counts as an email to a non-member
   */
  async resendLink(zone: ZoneRef): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const row = await query<Tables>(em)
        .selectFrom('zone_mail_settings')
        .select('reply_to as email')
        .where('zone_id', '=', zone.id)
        .where('reply_to_proved_at', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (!row?.email) throw replyToErrors.NOTHING_TO_PROVE();
      if (!(await this.sendVerification(em, zone, row.email))) throw replyToErrors.REPLY_TO_MAIL_LIMIT();
    });
  }

  /** Returns which address and zone the link is for; changes nothing. */
  async getLinkDetails(token: string): Promise<ReplyToLinkStateDto> {
    const found = await this.tokens.findToken(token, 'prove-reply-to');
    if (!found || found.usedAt || found.isExpired) return { email: null, zoneName: null };
    const row = await this.findSettings(this.em, found)
      .select(['z.name as zoneName'])
      .where('s.reply_to_proved_at', 'is', null)
      .executeTakeFirst();
    return { email: row ? found.email : null, zoneName: row?.zoneName ?? null };
  }

  /**
   * Confirms the address if it is still the zone's reply-to address. Idempotent.
   * @throws TOKEN_INVALID
   */
  async verifyAddress(token: string, ipAddress: string | null): Promise<void> {
    const found = await this.tokens.findToken(token, 'prove-reply-to');
    if (!found) throw authErrors.TOKEN_INVALID();
    await inTransaction(this.em, async (em) => {
      const row = await this.findSettings(em, found)
        .select(['s.reply_to_proved_at as provedAt', 'o.id as ownerId'])
        .forUpdate('s')
        .executeTakeFirst();
      if (!row) throw authErrors.TOKEN_INVALID();
      if (found.usedAt && row.provedAt) return;
      if (!(await this.tokens.consumeToken(em, found.id))) {
        if (row.provedAt) return;
        throw authErrors.TOKEN_INVALID();
      }
      const zoneId = Number(found.subject);
      await query<Tables>(em)
        .updateTable('zone_mail_settings')
        .set({ reply_to_proved_at: sql<Date>`coalesce(reply_to_proved_at, ${this.clock.now()})` })
        .where('zone_id', '=', zoneId)
        .execute();
      // The actor is unknown: anyone with access to that mailbox may have clicked.
      await this.audit.record(em, {
        type: 'zone.reply-to-proved',
        actorId: null,
        subjectId: row.ownerId,
        ipAddress,
        params: { zoneId },
      });
    });
  }

  /** @returns false if today's limit of non-member emails is reached for this address or owner */
  private async sendVerification(em: EntityManager, { id, ownerId }: ZoneRef, email: string): Promise<boolean> {
    if ((await this.nonMemberEmailQuota.reserveForAddresses(em, ownerId, [email])).size === 0) return false;
    if ((await this.nonMemberEmailQuota.reserveUpTo(em, ownerId, 1)) === 0) return false;
    await query<Tables>(em)
      .updateTable('zone_mail_settings')
      .set({ reply_to_asked_at: this.clock.now() })
      .where('zone_id', '=', id)
      .execute();
    await this.jobs.enqueue(em, sendReplyToLink, { zoneId: id });
    return true;
  }

  /** Returns the settings of a link as long as the zone still uses its address. */
  private findSettings(em: EntityManager, { subject, email }: StoredToken) {
    return query<Tables>(em)
      .selectFrom('zone_mail_settings as s')
      .innerJoin('zones as z', 'z.id', 's.zone_id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .where('s.zone_id', '=', Number(subject))
      .where('s.reply_to', '=', email)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null);
  }
}
