import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../../platform/config/app-config.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import type { JobContext } from '../../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../../platform/email/email.service.js';
import { toSendOutcome } from '../../../../platform/email/outcome/send-outcome.js';
import { digestOf, newTemporaryPassword, newToken } from '../../../../platform/security/secrets.js';
import { fullName } from '../../../auth/entities/user.entity.js';
import { sendInvitation } from '../../zones.jobs.js';
import { InvitationExpiryService } from '../expiry/invitation-expiry.service.js';
import { invitationEmail } from '../emails/invitation.email.js';
import { InvitationListRepository, type InvitationToSend } from '../invitation-list.repository.js';
import { InvitationRepository } from '../invitation.repository.js';

@Injectable()
export class InvitationMailer {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly list: InvitationListRepository,
    private readonly config: AppConfig,
    private readonly email: EmailService,
    private readonly invitationExpiry: InvitationExpiryService,
  ) {}

  /**
   * Creates both secrets at sending time, so that no job payload contains them and a retry invalidates those of the
   * first attempt.
   */
  @OnJob(sendInvitation)
  async sendInvitation({ invitationId }: { invitationId: number }, { id, isLastAttempt }: JobContext): Promise<void> {
    const found = await this.list.findInvitationToSend(invitationId);
    if (!found) return;
    const token = newToken();
    const password = found.hasOwnSignIn ? null : newTemporaryPassword();
    const passwordDigest = password === null ? null : digestOf(password);
    if (!(await this.invitations.saveSecrets(invitationId, digestOf(token), passwordDigest))) return;
    let outcome: 'sent' | 'on-hold';
    try {
      outcome = await this.sendEmail(found, token, password, `job-${id}`);
    } catch (error) {
      const failure = toSendOutcome(error);
      // If the sender was rejected rather than the recipient, the problem can be fixed and the email retried.
      const isRejected = failure.kind === 'rejected' && !failure.isOfSender;
      const isOver = isRejected || (failure.kind === 'postponed' && isLastAttempt);
      if (!isOver) throw error;
      return this.invitationExpiry.markUndeliverable(invitationId, digestOf(token));
    }
    await this.invitations.recordOutcome(invitationId, digestOf(token), outcome);
  }

  private sendEmail(found: InvitationToSend, token: string, password: string | null, idempotencyKey: string) {
    return this.email.send(invitationEmail, {
      to: found.email,
      language: (found.language ?? found.ownerLanguage) as Language,
      values: {
        url: `${this.config.appUrl}/invite/${token}`,
        zoneName: found.zoneName,
        inviterName: fullName(found),
        password,
      },
      idempotencyKey,
    });
  }
}
