import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { ApiTokenService } from '../tokens/api-token.service.js';
import type { User } from '../entities/user.entity.js';
import { sendPasswordReset } from '../auth.jobs.js';
import { FactorRemover } from '../factors/factor-remover.service.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { ExternalIdentitySchema } from '../single-sign-on/entities/external-identity.entity.js';
import { SingleUseTokenService } from '../tokens/single-use-token.service.js';
import { EmailLinks, type FoundLink } from './email-links.service.js';
import { EmailMover } from './email-mover.service.js';
import { EmailChangeSchema } from './entities/email-change.entity.js';

type Tables = typeof EmailChangeSchema | typeof ExternalIdentitySchema;

interface Undoing extends FoundLink {
  readonly changeId: number;
  readonly oldEmail: string;
  readonly changedAt: Date;
}

/** Taking a change of address back, by the link in the notice to the old address. */
@Injectable()
export class EmailUndo {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly sessions: SessionService,
    private readonly apiTokens: ApiTokenService,
    private readonly factors: FactorRemover,
    private readonly tokens: SingleUseTokenService,
    private readonly links: EmailLinks,
    private readonly mover: EmailMover,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /** The address that the link would put back, or null when it cannot be used any more. */
  async look(token: string): Promise<string | null> {
    return (await this.find(token))?.oldEmail ?? null;
  }

  /**
   * Puts the old address back, whatever was changed since, and shuts out whoever may have changed it: sessions, API
   * tokens, the password, and identities and second factors that came since are gone, and a link to set a new password is
   * mailed. Factors from before stay: the mailbox alone must not open what they protect.
   * @throws TOKEN_INVALID
   * @throws EMAIL_TAKEN when somebody else has an account with the old address by now
   */
  async undo(token: string, { ipAddress }: SessionOrigin): Promise<void> {
    await this.links.follow(await this.find(token), async (em, user, found) => {
      await this.shutOut(em, user, found);
      if (user.email !== found.oldEmail) await this.mover.move(em, user, found.oldEmail, true);
      const fact = { type: 'user.email-change-undone', actorId: user.id, subjectId: user.id, ipAddress } as const;
      await this.audit.record(em, { ...fact, params: { changeId: found.changeId } });
      await this.jobs.enqueue(em, sendPasswordReset, { email: found.oldEmail });
    });
  }

  private async shutOut(em: EntityManager, user: User, { changeId, changedAt }: Undoing): Promise<void> {
    await this.closeChanges(em, user.id, changeId);
    const tables = query<Tables>(em);
    await tables
      .deleteFrom('external_identities')
      .where('user_id', '=', user.id)
      .where('created_at', '>=', changedAt)
      .execute();
    const left = await tables
      .selectFrom('external_identities')
      .select('id')
      .where('user_id', '=', user.id)
      .executeTakeFirst();
    em.assign(user, { password: null, hasExternalIdentity: left !== undefined, updatedAt: this.clock.now() });
    await em.flush();
    await this.factors.removeSince(em, user.id, changedAt);
    await this.sessions.closeAll(em, user.id);
    await this.apiTokens.revokeAll(em, user.id);
  }

  /** This change and later ones are over; whoever got a later notice by them cannot undo the undoing. */
  private async closeChanges(em: EntityManager, userId: number, changeId: number): Promise<void> {
    const closed = await query<Tables>(em)
      .updateTable('email_changes')
      .set({ undone_at: this.clock.now() })
      .where('user_id', '=', userId)
      .where('id', '>=', changeId)
      .where('undone_at', 'is', null)
      .returning('id')
      .execute();
    for (const { id } of closed) await this.tokens.revokeAbout(em, 'undo-email-change', String(id));
  }

  private async find(token: string): Promise<Undoing | null> {
    const found = await this.links.find(token, 'undo-email-change');
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
