import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { Clock } from '../../../platform/clock/clock.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { hasPermanentSignIn } from '../access/user.policy.js';
import type { User } from '../entities/user.entity.js';
import { TemporaryPasswordPort } from '../passwords/temporary-password.port.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { UserService } from '../users/user.service.js';
import type { VerifiedIdentity } from './identity-provider.service.js';
import { toNames, appendRandomNumber, suggestUsername } from './names-from-claims.js';
import { UserRepository } from '../users/user.repository.js';
import { SingleSignOnRepository, type LinkedIdentity } from './single-sign-on.repository.js';
import { singleSignOnErrors } from '../auth.errors.js';

/** Creates and links accounts with identities of a provider. */
@Injectable()
export class ExternalAccountService {
  constructor(
    private readonly clock: Clock,
    private readonly identities: SingleSignOnRepository,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly sessions: SessionService,
    private readonly temporaryPasswords: TemporaryPasswordPort,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

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
      Object.assign(user, { ...names, username });
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
    await this.userRepository.saveUsers(em);
    await this.audit.record(em, {
      type: 'user.identity-linked',
      actorId: user.id,
      subjectId: user.id,
      ipAddress,
      params: { issuer: identity.issuer },
    });
    await this.jobs.enqueue(em, notifySecurityEvent, { userId: user.id, event: 'identity-linked' });
  }

  private async insertIdentity(em: EntityManager, user: User, identity: LinkedIdentity): Promise<void> {
    const now = this.clock.now();
    const isNew = await this.identities.insertIdentity(em, user.id, identity, now);
    if (!isNew) throw singleSignOnErrors.SSO_LINKED_ELSEWHERE();
    Object.assign(user, { hasExternalIdentity: true, updatedAt: now });
  }
}
