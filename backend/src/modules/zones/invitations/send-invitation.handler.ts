import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobHandler } from '../../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import { digestOf, newTemporaryPassword, newToken } from '../../../platform/security/secrets.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';
import { invitationMail } from './emails/invitation.email.js';
import { personName } from './person-name.js';
import { sendInvitation } from './send-invitation.job.js';

type Tables = typeof InvitationSchema | typeof ZoneSchema | typeof UserSchema;

/** Both secrets are made here, when the mail is sent: no job holds one, and a second try voids those of the first. */
@Injectable()
@JobHandler(sendInvitation)
export class SendInvitationHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly mail: MailService,
  ) {}

  async handle({ invitationId }: { invitationId: number }, { id }: JobContext): Promise<void> {
    const found = await this.find(invitationId);
    if (!found) return;
    const token = newToken();
    const password = found.hasPassword ? null : newTemporaryPassword();
    if (!(await this.keep(invitationId, token, password))) return;
    const { appUrl } = this.config;
    await this.mail.send(invitationMail, {
      to: found.email,
      language: (found.language ?? found.ownerLanguage) as Language,
      values: {
        url: `${appUrl}/invite/${token}`,
        zoneName: found.zoneName,
        inviterName: personName(found),
        password,
      },
      idempotencyKey: `job-${id}`,
    });
  }

  private find(invitationId: number) {
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
      .select((row) => row('u.password', 'is not', null).$castTo<boolean>().as('hasPassword'))
      .where('i.id', '=', invitationId)
      .where('i.used', '=', false)
      .where('i.expires_at', '>', this.clock.now())
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null)
      .where('u.deactivated_at', 'is', null)
      .executeTakeFirst();
  }

  /** False when the invitation was used or revoked meanwhile. */
  private async keep(invitationId: number, token: string, password: string | null): Promise<boolean> {
    const kept = await query<Tables>(this.em)
      .updateTable('invitations')
      .set({
        digest: digestOf(token),
        password_digest: password === null ? null : digestOf(password),
        sent_at: this.clock.now(),
      })
      .where('id', '=', invitationId)
      .where('used', '=', false)
      .executeTakeFirst();
    return kept.numUpdatedRows > 0n;
  }
}
