import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DAY } from '../../../../platform/clock/clock.js';
import { AppConfig } from '../../../../platform/config/app-config.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import type { JobContext } from '../../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../../../platform/email/email.service.js';
import { canReceiveAccountInvitation } from '../../../auth/access/user.policy.js';
import { ACCOUNT_INVITATION, SingleUseTokenRepository } from '../../../auth/tokens/single-use-token.repository.js';
import { UserRepository } from '../../../auth/users/user.repository.js';
import { sendAccountInvitation } from '../../admin.jobs.js';
import { accountInvitationEmail } from './account-invitation.email.js';

const LINK_LIFETIME = 7 * DAY;
/** Open links per address, as for password resets. */
const MAX_OPEN_LINKS = 3;

@Injectable()
export class AccountInvitationMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserRepository,
    private readonly config: AppConfig,
    private readonly tokens: SingleUseTokenRepository,
    private readonly email: EmailService,
  ) {}

  /** Creates the link at sending time, so that no job contains one. Users who can already sign in get no such link. */
  @OnJob(sendAccountInvitation)
  async sendInvitation({ userId }: { userId: number }, { id }: JobContext): Promise<void> {
    const user = await this.users.findActiveUser(userId);
    if (!user) return;
    const { email, language } = user;
    const isNew = canReceiveAccountInvitation(user, this.config.superAdminEmail);
    await this.email.send(accountInvitationEmail, {
      to: email,
      language,
      values: { isNew, url: `${this.config.appUrl}${isNew ? await this.createLinkPath(email) : '/auth?mode=login'}` },
      idempotencyKey: `job-${id}`,
    });
  }

  private async createLinkPath(email: string): Promise<string> {
    const grant = { email, purpose: 'reset-password', subject: ACCOUNT_INVITATION } as const;
    const token = await inTransaction(this.em, (em) =>
      this.tokens.issueToken(em, grant, LINK_LIFETIME, MAX_OPEN_LINKS),
    );
    return `/reset-password?token=${token}`;
  }
}
