import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { hasPermanentSignIn } from '../access/user.policy.js';
import type { User } from '../entities/user.entity.js';
import { TemporaryPasswordPort } from '../passwords/temporary-password.port.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { UserService } from '../users/user.service.js';
import { ExternalIdentitySchema } from './entities/external-identity.entity.js';
import type { VerifiedIdentity } from './identity-provider.service.js';
import { toNames, appendRandomNumber, suggestUsername } from './names-from-claims.js';
import { singleSignOnErrors } from '../auth.errors.js';

/** The stored part of an identity. */
export interface LinkedIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
}

/** Finds, creates and links accounts with identities of a provider. */
@Injectable()
export class ExternalAccountService {
  constructor(
    private readonly clock: Clock,
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly temporaryPasswords: TemporaryPasswordPort,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Returns the user an identity is linked to and records its use; null if it is not linked.
   * @param identity its `email` is the provider's current value; it is only displayed, never compared
   */
  async findUserAndMarkUsed(em: EntityManager, { issuer, subject, email }: VerifiedIdentity): Promise<number | null> {
    const now = this.clock.now();
    const row = await query<typeof ExternalIdentitySchema>(em)
      .updateTable('external_identities')
      .set({ last_used_at: now, ...(email && { email: email.slice(0, 255) }) })
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .returning('user_id')
      .executeTakeFirst();
    return row?.user_id ?? null;
  }

  /**
   * Returns the account an identity appears to be linked to, to select the pool tenant. `findUserAndMarkUsed` decides.
   */
  async findOwner(em: EntityManager, { issuer, subject }: VerifiedIdentity): Promise<number | null> {
    const row = await query<typeof ExternalIdentitySchema>(em)
      .selectFrom('external_identities')
      .select('user_id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row?.user_id ?? null;
  }

  /**
   * Creates an account for an address that has none: verified, without a password, with the names from the provider.
   * @param identity with an address that the provider has verified
   * @returns null if the address already has an account
   * @throws USERNAME_TAKEN if a username is taken concurrently; the caller must retry the transaction
   */
  async createAccount(
    em: EntityManager,
    identity: VerifiedIdentity & { readonly email: string },
    language: Language,
    { ipAddress }: SessionOrigin,
  ): Promise<User | null> {
    const user = await this.users.createVerified(em, identity.email, language);
    if (!user) return null;
    const { issuer, subject, email } = identity;
    await this.insertIdentity(em, user, { issuer, subject, email });
    const names = toNames(identity);
    if (names.firstName !== null) {
      const requested = suggestUsername(identity);
      const username = (await this.users.isUsernameAvailable(requested)) ? requested : appendRandomNumber(requested);
      em.assign(user, { ...names, username });
    }
    await this.users.saveProfile(em, user);
    await this.audit.record(em, {
      type: 'user.registered',
      actorId: user.id,
      subjectId: user.id,
      ipAddress,
      params: { issuer },
    });
    return user;
  }

  /**
   * Links an identity to an account, in the caller's transaction, which must hold the lock of the user's row, and
   * notifies the user by email. The first permanent way to sign in ends the sessions and temporary passwords issued by
   * emails, as a first password does, because an email may have been forwarded.
   * @throws SSO_LINKED_ELSEWHERE if it belongs to another account
   */
  async linkIdentity(
    em: EntityManager,
    user: User,
    identity: LinkedIdentity,
    { ipAddress }: SessionOrigin,
  ): Promise<void> {
    if (!hasPermanentSignIn(user)) {
      await this.sessions.endAllSessions(em, user.id);
      await this.temporaryPasswords.revokeAll(em, user.email);
    }
    await this.insertIdentity(em, user, identity);
    await em.flush();
    await this.audit.record(em, {
      type: 'user.identity-linked',
      actorId: user.id,
      subjectId: user.id,
      ipAddress,
      params: { issuer: identity.issuer },
    });
    await this.jobs.enqueue(em, notifySecurityEvent, { userId: user.id, event: 'identity-linked' });
  }

  private async insertIdentity(
    em: EntityManager,
    user: User,
    { issuer, subject, email }: LinkedIdentity,
  ): Promise<void> {
    const now = this.clock.now();
    const created = await query<typeof ExternalIdentitySchema>(em)
      .insertInto('external_identities')
      .values({ user_id: user.id, issuer, subject, email, created_at: now, last_used_at: now })
      .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
      .executeTakeFirst();
    if (created.numInsertedOrUpdatedRows === 0n) throw singleSignOnErrors.SSO_LINKED_ELSEWHERE();
    em.assign(user, { hasExternalIdentity: true, updatedAt: now });
  }
}
