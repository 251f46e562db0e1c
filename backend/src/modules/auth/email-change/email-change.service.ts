import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit.service.js';
import { Clock, HOUR } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { addressNotTaken, SmtpUtf8 } from '../../../platform/mail/smtp-utf8.service.js';
import { fieldError } from '../../../platform/http/reading/validation.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { authErrors, emailChangeErrors } from '../auth.errors.js';
import type { User } from '../entities/user.entity.js';
import { passwordState } from './email-change-mailer.js';
import { PasswordConfirmation } from '../passwords/password-confirmation.service.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { SingleUseTokenService } from '../tokens/single-use-token.service.js';
import { EmailLinks, type FoundLink } from './email-links.service.js';
import { EmailMover } from './email-mover.service.js';
import { EmailChangeSchema } from './entities/email-change.entity.js';
import { sendEmailChange, tellEmailChanged } from '../auth.jobs.js';

const MAILS_BY_PERSON: RateRule = { name: 'email-change', limit: 5, window: HOUR };

/** Who changes an address, and what is known of it. */
export interface ChangeOfAddress {
  readonly to: string;
  readonly actorId: number;
  readonly ipAddress: string | null;
  /** Made by an administrator: the new address has not been shown to be theirs, and the old one cannot undo it. */
  readonly byAdmin: boolean;
  readonly reason?: string;
}

/** Another address for an account: asked for in the settings, done by a link mailed to the new address. */
@Injectable()
export class EmailChangeService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly tokens: SingleUseTokenService,
    private readonly confirmation: PasswordConfirmation,
    private readonly sessions: SessionService,
    private readonly links: EmailLinks,
    private readonly mover: EmailMover,
    private readonly limits: RateLimits,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
    private readonly utf8: SmtpUtf8,
  ) {}

  /**
   * Has a link sent to the new address. The answer and the work are the same whether it has an account or not: what to
   * write is decided by the job.
   * @param password in the place of a confirmation of the last ten minutes
   * @throws WRONG_PASSWORD, CONFIRMATION_REQUIRED, EMAIL_UNCHANGED, TOO_MANY_REQUESTS
   * @throws VALIDATION_FAILED for an address that the mail server does not take
   * @throws NOT_SIGNED_IN when the session ended meanwhile
   */
  async ask(viewer: Viewer, to: string, password: string | undefined, { ipAddress }: SessionOrigin): Promise<void> {
    const { userId, email } = viewer;
    const hash = await this.confirmation.require(viewer, password, ipAddress);
    if (to === email) throw emailChangeErrors.EMAIL_UNCHANGED();
    await this.limits.spend(MAILS_BY_PERSON, userId);
    if (await this.utf8.refuses(to)) throw fieldError('email', addressNotTaken);
    await inTransaction(this.em, async (em) => {
      const user = await this.sessions.lock(em, viewer);
      if (hash !== null && user.password !== hash) throw authErrors.WRONG_PASSWORD();
      const fact = { type: 'user.email-change-asked', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, fact);
      await this.jobs.enqueue(em, sendEmailChange, { userId, email: to, password: passwordState(user) });
    });
  }

  /** The address that the link would put in, or null when it cannot be used any more. */
  async look(token: string): Promise<string | null> {
    return (await this.find(token))?.email ?? null;
  }

  /**
   * Changes the address by the mailed link. Sessions stay.
   * @throws TOKEN_INVALID; of two clicks at once one gets it
   * @throws EMAIL_TAKEN when the address has got an account meanwhile
   */
  async complete(token: string, { ipAddress }: SessionOrigin): Promise<void> {
    await this.links.follow(await this.find(token), (em, user, { email: to }) =>
      this.change(em, user, { to, actorId: user.id, ipAddress, byAdmin: false }),
    );
  }

  /**
   * Changes the address in the caller's transaction, which holds the lock of the person's row; both addresses are told.
   * @throws EMAIL_TAKEN, EMAIL_UNCHANGED
   */
  async change(em: EntityManager, user: User, { to, actorId, ipAddress, byAdmin, reason }: ChangeOfAddress) {
    const from = user.email;
    if (to === from) throw emailChangeErrors.EMAIL_UNCHANGED();
    await this.mover.move(em, user, to, !byAdmin);
    if (byAdmin) await this.voidUndoing(em, user.id);
    const row = { user_id: user.id, old_email: from, new_email: to, by_admin: byAdmin, changed_at: this.clock.now() };
    const { id: changeId } = await query<typeof EmailChangeSchema>(em)
      .insertInto('email_changes')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
    await this.audit.record(em, {
      ...{ type: 'user.email-changed', actorId, subjectId: user.id, ipAddress },
      params: { changeId, byAdmin, ...(reason && { reason }) },
    });
    await this.jobs.enqueue(em, tellEmailChanged, { changeId });
  }

  /** An administrator changes an address because the old one is lost: whoever has it now gets nothing back. */
  private async voidUndoing(em: EntityManager, userId: number): Promise<void> {
    const changes = await query<typeof EmailChangeSchema>(em)
      .selectFrom('email_changes')
      .select('id')
      .where('user_id', '=', userId)
      .execute();
    for (const { id } of changes) await this.tokens.revokeAbout(em, 'undo-email-change', String(id));
  }

  private async find(token: string): Promise<(FoundLink & { readonly email: string }) | null> {
    const found = await this.links.find(token, 'change-email');
    return found && { tokenId: found.id, userId: Number(found.subject), email: found.email };
  }
}
