import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../../platform/clock/clock.js';
import { AppConfig } from '../../../../platform/config/app-config.js';
import { query } from '../../../../platform/database/query.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import type { JobContext } from '../../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../../platform/email/email.service.js';
import { toSendOutcome } from '../../../../platform/email/outcome/send-outcome.js';
import { digestOf, newTemporaryPassword, newToken } from '../../../../platform/security/secrets.js';
import { hasPermanentSignInSql } from '../../../auth/access/user.sql.js';
import { fullName, UserSchema } from '../../../auth/entities/user.entity.js';
import { InvitationSchema } from '../../entities/invitation.entity.js';
import { ZoneSchema } from '../../entities/zone.entity.js';
import { sendInvitation } from '../../zones.jobs.js';
import { InvitationExpiryService } from '../expiry/invitation-expiry.service.js';
import { invitationEmail } from '../emails/invitation.email.js';

type Tables = typeof InvitationSchema | typeof ZoneSchema | typeof UserSchema;

@Injectable()
export class InvitationMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
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
    const found = await this.findInvitation(invitationId);
    if (!found) return;
    const token = newToken();
    const password = found.hasOwnSignIn ? null : newTemporaryPassword();
    if (!(await this.saveSecrets(invitationId, token, password))) return;
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
    await this.recordOutcome(invitationId, digestOf(token), outcome);
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

  private findInvitation(invitationId: number) {
    return query<Tables>(this.em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .innerJoin('users as inviter', (join) =>
        join.on((on) => on('inviter.id', '=', on.fn.coalesce('i.invited_by_id', 'z.owner_id'))),
      )
      .leftJoin('users as u', 'u.email', 'i.email')
      .select(['i.email as email', 'z.name as zoneName', 'u.language as language', 'o.language as ownerLanguage'])
      .select(['inviter.first_name as firstName', 'inviter.last_name as lastName'])
      .select(sql<boolean>`coalesce(${sql.raw(hasPermanentSignInSql)}, false)`.as('hasOwnSignIn'))
      .where('i.id', '=', invitationId)
      .where('i.used', '=', false)
      .where('i.undeliverable_at', 'is', null)
      .where('i.expires_at', '>', this.clock.now())
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null)
      .where('u.deactivated_at', 'is', null)
      .executeTakeFirst();
  }

  /** Returns false if the invitation was used or revoked in the meantime. */
  private async saveSecrets(invitationId: number, token: string, password: string | null): Promise<boolean> {
    const updated = await query<Tables>(this.em)
      .updateTable('invitations')
      .set({
        digest: digestOf(token),
        password_digest: password === null ? null : digestOf(password),
      })
      .where('id', '=', invitationId)
      .where('used', '=', false)
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  /**
   * Records whether the email was sent or only stored. If the invitation is being sent again, the later email records
   * it.
   */
  private async recordOutcome(invitationId: number, digest: string, outcome: 'sent' | 'on-hold'): Promise<void> {
    const now = this.clock.now();
    await query<Tables>(this.em)
      .updateTable('invitations')
      .set(outcome === 'sent' ? { sent_at: now, kept_at: null } : { kept_at: now })
      .where('id', '=', invitationId)
      .where('digest', '=', digest)
      .execute();
  }
}

type InvitationToSend = NonNullable<Awaited<ReturnType<InvitationMailer['findInvitation']>>>;
