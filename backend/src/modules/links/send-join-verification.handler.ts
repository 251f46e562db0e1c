import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { digestOf, newToken } from '../../platform/security/secrets.js';
import { SingleUseTokenService } from '../auth/single-use-token.service.js';
import { UserService } from '../auth/user.service.js';
import { Zone } from '../zones/entities/zone.entity.js';
import { joinVerificationMail } from './emails/join-verification.email.js';
import { PendingJoin } from './entities/pending-join.entity.js';
import { sendJoinVerification } from './send-join-verification.job.js';
import { subjectOf, waitsForOwner } from './verify-join.service.js';

/** Both secrets of the link are made here, when it is sent: no job holds one, and a second try voids the first link. */
@Injectable()
@JobHandler(sendJoinVerification)
export class SendJoinVerificationHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly tokens: SingleUseTokenService,
    private readonly users: UserService,
    private readonly mail: MailService,
  ) {}

  async handle({ pendingJoinId }: { pendingJoinId: number }, { id }: JobContext): Promise<void> {
    const pending = await this.em.findOne(PendingJoin, { id: pendingJoinId });
    const lifetime = pending ? pending.expiresAt.getTime() - this.clock.now().getTime() : 0;
    if (!pending || pending.completedAt || lifetime <= 0) return;
    const zone = await this.em.findOne(Zone, { id: pending.zoneId, deletedAt: null });
    if (!zone) return;
    const owner = await this.users.findById(zone.ownerId);
    if (owner.deactivatedAt) return;
    const join = newToken();
    const token = await inTransaction(this.em, (em) => {
      pending.digest = digestOf(join);
      return this.tokens.issue(
        em,
        { email: pending.email, purpose: 'verify-email', subject: subjectOf(pending.id) },
        lifetime,
      );
    });
    await this.mail.send(joinVerificationMail, {
      to: pending.email,
      language: pending.language,
      values: {
        url: `${this.config.appUrl}/verify-email?token=${token}&join=${join}`,
        zoneName: zone.name,
        requiresApproval: waitsForOwner({ pending, zone }),
        ownerName: [owner.firstName, owner.lastName === '.' ? null : owner.lastName].filter(Boolean).join(' '),
      },
      idempotencyKey: `job-${id}`,
    });
  }
}
