import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { fullName } from '../../auth/entities/user.entity.js';
import { SingleUseTokenRepository } from '../../auth/tokens/single-use-token.repository.js';
import { SuppressionRepository } from '../../zones/leaving/suppression.repository.js';
import { sendReplyToLink } from '../campaigns.jobs.js';
import { MailSettingsRepository } from './mail-settings.repository.js';
import { replyToLinkEmail } from './reply-to-link.email.js';

const LINK_TTL = 7 * DAY;

@Injectable()
export class ReplyToMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly mailSettings: MailSettingsRepository,
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
    const found = await this.mailSettings.findPending(zoneId);
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
}
