import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { authErrors } from '../auth.errors.js';
import type { User } from '../entities/user.entity.js';
import { ApiTokenRepository } from '../tokens/api-token.repository.js';
import { PasswordHashService } from '../passwords/password-hash.service.js';
import type { PasswordOwner } from '../passwords/password-strength.js';
import { PasswordStrengthService } from '../passwords/password-strength.service.js';
import { isReservedUsername } from '../shared/reserved-usernames.js';
import { SessionService } from '../sessions/session.service.js';
import { UserRepository } from './user.repository.js';

export interface ProfileNames {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
}

/** An account whose address has just been verified, and its state before that. */
export interface VerifiedEmailResult {
  readonly user: User;
  readonly previousState: 'absent' | 'unverified' | 'verified';
}

/** Creates, completes, deactivates and activates accounts. */
@Injectable()
export class UserService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserRepository,
    private readonly config: AppConfig,
    private readonly passwords: PasswordHashService,
    private readonly passwordStrength: PasswordStrengthService,
    private readonly events: EventBus,
    private readonly sessions: SessionService,
    private readonly apiTokens: ApiTokenRepository,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Returns the time zone for day boundaries: the requested one, otherwise the user's setting, otherwise UTC.
   * @returns an IANA name
   */
  async getTimeZone(id: number, requested?: string): Promise<string> {
    return requested ?? (await this.users.getManagedUser(id)).timeZone ?? 'UTC';
  }

  /** @param username in lower case */
  async isUsernameAvailable(username: string): Promise<boolean> {
    if (isReservedUsername(username)) return false;
    return !(await this.users.isUsernameTaken(username));
  }

  /**
   * Returns the user of a verified address and creates one if needed. Concurrent calls get the same row.
   * @param email in lower case; the caller has verified it
   */
  async findOrCreateVerified(em: EntityManager, email: string, language: Language): Promise<User> {
    return (await this.findOrCreateVerifiedWithState(em, email, language)).user;
  }

  /**
   * Like `findOrCreateVerified`, but also returns the previous state. Of concurrent calls, one gets the earlier state.
   */
  async findOrCreateVerifiedWithState(
    em: EntityManager,
    email: string,
    language: Language,
  ): Promise<VerifiedEmailResult> {
    const created = await this.createVerified(em, email, language);
    if (created) return { user: created, previousState: 'absent' };
    const wasUnverified = await this.users.setEmailVerified(em, email);
    const user = await this.users.reloadUser(em, { email });
    await this.markEmailVerified(em, user);
    return { user, previousState: wasUnverified ? 'unverified' : 'verified' };
  }

  /**
   * Creates a user with a verified address; null if the address already has an account. Concurrent calls create one.
   * @param email in lower case; the caller has verified it
   */
  async createVerified(em: EntityManager, email: string, language: Language): Promise<User | null> {
    const id = await this.users.insertUser(em, email, language);
    if (id === null) return null;
    const user = await this.users.reloadUser(em, { id });
    await this.markEmailVerified(em, user);
    return user;
  }

  /**
   * Marks the address as verified, which makes the address in SUPER_ADMIN_EMAIL a super admin. The caller's transaction
   * writes the change.
   */
  async markEmailVerified(em: EntityManager, user: User): Promise<void> {
    user.emailVerified = true;
    if (user.email !== this.config.superAdminEmail || user.isSuperAdmin) return;
    user.isSuperAdmin = true;
    await this.audit.record(em, { type: 'user.super-admin-granted', subjectId: user.id });
  }

  /**
   * Sets names, username and password of a user who has none yet. Runs in the caller's transaction.
   * @throws USERNAME_RESERVED; USERNAME_TAKEN on the unique constraint
   */
  async completeProfile(em: EntityManager, user: User, profile: ProfileNames, passwordHash: string): Promise<void> {
    const { firstName, lastName, username } = profile;
    if (isReservedUsername(username)) throw authErrors.USERNAME_RESERVED();
    Object.assign(user, { firstName, lastName, username, password: passwordHash });
    await this.saveProfile(em, user);
  }

  /**
   * Saves changed names and username, in the caller's transaction, and publishes the change.
   * @throws USERNAME_TAKEN on the unique constraint; the transaction is then aborted
   */
  async saveProfile(em: EntityManager, user: User): Promise<void> {
    if (!(await this.users.saveProfile(em, user))) throw authErrors.USERNAME_TAKEN();
    await this.events.emit(em, 'user.renamed', { user });
  }

  /**
   * Deactivates an account: ends sessions, deletes API tokens, and hides its zones and links from others. Does nothing
   * if the account is already deactivated.
   * @param actorId the acting user; null for the service itself
   */
  deactivate(userId: number, actorId: number | null, ipAddress: string | null = null): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const user = await this.users.lockUser(em, userId);
      if (user.deactivatedAt) return;
      await this.deactivateInTransaction(em, user);
      await this.audit.record(em, { type: 'user.deactivated', actorId, subjectId: userId, ipAddress });
    });
  }

  /**
   * Undoes `deactivate`. Never verifies an address, and restores no session.
   * @throws NOT_FOUND for an account that its user has deleted
   */
  activate(userId: number, actorId: number | null, ipAddress: string | null = null): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const user = await this.users.lockUser(em, userId);
      if (user.erasedAt) throw commonErrors.NOT_FOUND();
      if (!user.deactivatedAt) return;
      await this.users.updateUser(em, user, { deactivatedAt: null });
      await this.events.emit(em, 'user.activated', { user });
      await this.audit.record(em, { type: 'user.activated', actorId, subjectId: userId, ipAddress });
    });
  }

  /** Shared by deactivation and deletion. Runs in the caller's transaction, which must have locked the user. */
  async deactivateInTransaction(em: EntityManager, user: User): Promise<void> {
    await this.users.deactivateUser(em, user);
    await this.sessions.endAllSessions(em, user.id);
    await this.apiTokens.deleteTokensOf(em, user.id);
    await this.events.emit(em, 'user.deactivated', { user });
  }

  /**
   * Validates and hashes a new password. Hashing is expensive, so callers check first that the user may set one.
   * @param field form field for the error message
   * @param owner the user, as far as known
   * @throws VALIDATION_FAILED for a password that is easy to guess; SERVER_BUSY
   */
  async validateAndHashPassword(password: string, field: string, owner: PasswordOwner): Promise<string> {
    await this.passwordStrength.assertStrong(password, field, owner);
    return this.passwords.hash(password);
  }
}
