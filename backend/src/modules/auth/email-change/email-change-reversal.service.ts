import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { ApiTokenService } from '../tokens/api-token.service.js';
import type { User } from '../entities/user.entity.js';
import { sendPasswordReset } from '../auth.jobs.js';
import { MfaRemovalService } from '../mfa/mfa-removal.service.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { ExternalIdentitySchema } from '../single-sign-on/entities/external-identity.entity.js';
import { SingleUseTokenService } from '../tokens/single-use-token.service.js';
import { EmailChangeLinksService, type EmailChangeLink } from './email-change-links.service.js';
import { EmailChangeApplierService } from './email-change-applier.service.js';
import { EmailChangeSchema } from './entities/email-change.entity.js';

type Tables = typeof EmailChangeSchema | typeof ExternalIdentitySchema;

interface EmailChangeUndoLink extends EmailChangeLink {
  readonly changeId: number;
  readonly oldEmail: string;
  readonly changedAt: Date;
}

/** Undoes a change of address, with the link in the notice to the old address. */
@Injectable()
export class EmailChangeReversalService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly sessions: SessionService,
    private readonly apiTokens: ApiTokenService,
    private readonly mfaRemoval: MfaRemovalService,
    private readonly tokens: SingleUseTokenService,
    private readonly emailChangeLinks: EmailChangeLinksService,
    private readonly emailChangeApplier: EmailChangeApplierService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
  ) {}

  /** Returns the address that the link would restore, or null if the link can no longer be used. */
  async getOldEmailOfLink(token: string): Promise<string | null> {
    return (await this.findUndoLink(token))?.oldEmail ?? null;
  }

  /**
   * Restores the old address, whatever has changed since, and locks out a possible attacker. Deletes sessions, API
   * tokens, the password, and identities and second factors added since, and emails a link to set a new password.
   * Earlier factors stay: access to the mailbox alone must not open what they protect.
   * @throws TOKEN_INVALID
   * @throws EMAIL_TAKEN if another account has the old address by now
   */
  async undoChange(token: string, { ipAddress }: SessionOrigin): Promise<void> {
    await this.emailChangeLinks.useLink(await this.findUndoLink(token), async (em, user, found) => {
      await this.revokeAccessGainedSince(em, user, found);
      if (user.email !== found.oldEmail) await this.emailChangeApplier.applyEmailChange(em, user, found.oldEmail, true);
      const fact = { type: 'user.email-change-undone', actorId: user.id, subjectId: user.id, ipAddress } as const;
      await this.audit.record(em, { ...fact, params: { changeId: found.changeId } });
      await this.jobs.enqueue(em, sendPasswordReset, { email: found.oldEmail });
    });
  }

  private async revokeAccessGainedSince(
    em: EntityManager,
    user: User,
    { changeId, changedAt }: EmailChangeUndoLink,
  ): Promise<void> {
    await this.closeLaterChanges(em, user.id, changeId);
    const tables = query<Tables>(em);
    await tables
      .deleteFrom('external_identities')
      .where('user_id', '=', user.id)
      .where('created_at', '>=', changedAt)
      .execute();
    const remainingIdentity = await tables
      .selectFrom('external_identities')
      .select('id')
      .where('user_id', '=', user.id)
      .executeTakeFirst();
    em.assign(user, {
      password: null,
      hasExternalIdentity: remainingIdentity !== undefined,
      updatedAt: this.clock.now(),
    });
    await em.flush();
    await this.mfaRemoval.removeFactorsAddedSince(em, user.id, changedAt);
    await this.sessions.endAllSessions(em, user.id);
    await this.apiTokens.revokeAllTokens(em, user.id);
  }

  /** Closes this change and later ones, so that the recipients of later notices can't revert the undo. */
  private async closeLaterChanges(em: EntityManager, userId: number, changeId: number): Promise<void> {
    const closed = await query<Tables>(em)
      .updateTable('email_changes')
      .set({ undone_at: this.clock.now() })
      .where('user_id', '=', userId)
      .where('id', '>=', changeId)
      .where('undone_at', 'is', null)
      .returning('id')
      .execute();
    for (const { id } of closed) await this.tokens.revokeTokensOfSubject(em, 'undo-email-change', String(id));
  }

  private async findUndoLink(token: string): Promise<EmailChangeUndoLink | null> {
    const found = await this.emailChangeLinks.findUsableToken(token, 'undo-email-change');
    if (!found) return null;
    const row = await query<Tables>(this.em)
      .selectFrom('email_changes')
      .select(['id as changeId', 'user_id as userId', 'old_email as oldEmail', 'changed_at as changedAt'])
      .where('id', '=', Number(found.subject))
      .where('undone_at', 'is', null)
      .executeTakeFirst();
    return row ? { ...row, tokenId: found.id } : null;
  }
}
