import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../../auth/auth.errors.js';
import { SingleUseTokenRepository } from '../../auth/tokens/single-use-token.repository.js';
import { NonMemberEmailQuotaService } from '../../zones/email-quota/non-member-email-quota.service.js';
import type { ReplyToLinkStateDto } from '../dto/mail-settings.dto.js';
import type { ZoneRef } from '../audience/recipient.service.js';
import { MailSettingsRepository } from './mail-settings.repository.js';
import { replyToErrors } from './reply-to.errors.js';
import { sendReplyToLink } from '../campaigns.jobs.js';

/**
 * Verifies that an address agrees to receive replies to a zone's emails, so that nobody is flooded with replies to
 * someone else's emails.
 */
@Injectable()
export class ReplyToVerificationService {
  constructor(
    private readonly em: EntityManager,
    private readonly mailSettings: MailSettingsRepository,
    private readonly tokens: SingleUseTokenRepository,
    private readonly nonMemberEmailQuota: NonMemberEmailQuotaService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Saves the reply-to address in the caller's transaction. The owner's own verified address counts as confirmed; any
   * other new address gets a link if the daily limit for non-member emails allows it. An unchanged address stays
   * confirmed.
   * @param replyTo null for the owner's own address; undefined leaves it unchanged
   */
  async saveReplyTo(em: EntityManager, { id, ownerId }: ZoneRef, replyTo: string | null | undefined): Promise<void> {
    if (replyTo !== undefined) await this.mailSettings.updateReplyTo(em, id, replyTo);
    await this.mailSettings.setProvedIfOwn(em, id, ownerId);
    const unasked = await this.mailSettings.lockUnasked(em, id);
    if (unasked) await this.sendVerification(em, { id, ownerId }, unasked);
  }

  /**
   * Sends the link again.
   * @throws NOTHING_TO_PROVE
   * @throws REPLY_TO_MAIL_LIMIT because it counts as an email to a non-member
   */
  async resendLink(zone: ZoneRef): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const email = await this.mailSettings.lockUnproved(em, zone.id);
      if (!email) throw replyToErrors.NOTHING_TO_PROVE();
      if (!(await this.sendVerification(em, zone, email))) throw replyToErrors.REPLY_TO_MAIL_LIMIT();
    });
  }

  /** Returns which address and zone the link is for; changes nothing. */
  async getLinkDetails(token: string): Promise<ReplyToLinkStateDto> {
    const found = await this.tokens.findToken(token, 'prove-reply-to');
    if (!found || found.usedAt || found.isExpired) return { email: null, zoneName: null };
    const zoneName = await this.mailSettings.findZoneOfUnproved(Number(found.subject), found.email);
    return { email: zoneName === null ? null : found.email, zoneName };
  }

  /**
   * Confirms the address if it is still the zone's reply-to address. Idempotent.
   * @throws TOKEN_INVALID
   */
  async verifyAddress(token: string, ipAddress: string | null): Promise<void> {
    const found = await this.tokens.findToken(token, 'prove-reply-to');
    if (!found) throw authErrors.TOKEN_INVALID();
    await inTransaction(this.em, async (em) => {
      const zoneId = Number(found.subject);
      const settings = await this.mailSettings.lockReplyTo(em, zoneId, found.email);
      if (!settings) throw authErrors.TOKEN_INVALID();
      if (found.usedAt && settings.isProved) return;
      if (!(await this.tokens.consumeToken(em, found.id))) {
        if (settings.isProved) return;
        throw authErrors.TOKEN_INVALID();
      }
      await this.mailSettings.setProved(em, zoneId);
      // The actor is unknown: anyone with access to that mailbox may have clicked.
      await this.audit.record(em, {
        type: 'zone.reply-to-proved',
        actorId: null,
        subjectId: settings.ownerId,
        ipAddress,
        params: { zoneId },
      });
    });
  }

  /** @returns false if today's limit of non-member emails is reached for this address or owner */
  private async sendVerification(em: EntityManager, { id, ownerId }: ZoneRef, email: string): Promise<boolean> {
    if ((await this.nonMemberEmailQuota.reserveForAddresses(em, ownerId, [email])).size === 0) return false;
    if ((await this.nonMemberEmailQuota.reserveUpTo(em, ownerId, 1)) === 0) return false;
    await this.mailSettings.setAsked(em, id);
    await this.jobs.enqueue(em, sendReplyToLink, { zoneId: id });
    return true;
  }
}
