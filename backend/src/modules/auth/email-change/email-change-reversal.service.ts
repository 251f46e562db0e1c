import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { ApiTokenRepository } from '../tokens/api-token.repository.js';
import type { User } from '../entities/user.entity.js';
import { sendPasswordReset } from '../auth.jobs.js';
import { MfaRemovalService } from '../mfa/mfa-removal.service.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { SingleSignOnRepository } from '../single-sign-on/single-sign-on.repository.js';
import { SingleUseTokenRepository } from '../tokens/single-use-token.repository.js';
import { EmailChangeLinksService, type EmailChangeLink } from './email-change-links.service.js';
import { EmailChangeApplierService } from './email-change-applier.service.js';
import { UserRepository } from '../users/user.repository.js';
import { EmailChangeRepository } from './email-change.repository.js';

interface EmailChangeUndoLink extends EmailChangeLink {
  readonly changeId: number;
  readonly oldEmail: string;
  readonly changedAt: Date;
}

/** Undoes a change of address, with the link in the notice to the old address. */
@Injectable()
export class EmailChangeReversalService {
  constructor(
    private readonly emailChanges: EmailChangeRepository,
    private readonly users: UserRepository,
    private readonly singleSignOn: SingleSignOnRepository,
    private readonly sessions: SessionService,
    private readonly apiTokens: ApiTokenRepository,
    private readonly mfaRemoval: MfaRemovalService,
    private readonly tokens: SingleUseTokenRepository,
    private readonly emailChangeLinks: EmailChangeLinksService,
    private readonly emailChangeApplier: EmailChangeApplierService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
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
    await this.singleSignOn.deleteIdentitiesAddedSince(em, user.id, changedAt);
    const hasExternalIdentity = await this.singleSignOn.hasIdentity(em, user.id);
    await this.users.updateUser(em, user, { password: null, hasExternalIdentity });
    await this.mfaRemoval.removeFactorsAddedSince(em, user.id, changedAt);
    await this.sessions.endAllSessions(em, user.id);
    await this.apiTokens.deleteTokensOf(em, user.id);
  }

  /** Closes this change and later ones, so that the recipients of later notices can't revert the undo. */
  private async closeLaterChanges(em: EntityManager, userId: number, changeId: number): Promise<void> {
    const closed = await this.emailChanges.closeChangesFrom(em, userId, changeId);
    for (const id of closed) await this.tokens.revokeTokensOfSubject(em, 'undo-email-change', String(id));
  }

  private async findUndoLink(token: string): Promise<EmailChangeUndoLink | null> {
    const found = await this.emailChangeLinks.findUsableToken(token, 'undo-email-change');
    if (!found) return null;
    const row = await this.emailChanges.findOpenChange(Number(found.subject));
    return row ? { ...row, tokenId: found.id } : null;
  }
}
