import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { isUniqueViolation } from '../../../platform/database/constraint-violations.js';
import { authErrors } from '../auth.errors.js';
import { User, UserSchema } from '../entities/user.entity.js';
import { ApiTokenService } from '../tokens/api-token.service.js';
import { PasswordHashService } from '../passwords/password-hash.service.js';
import type { PasswordOwner } from '../passwords/password-strength.js';
import { PasswordStrengthService } from '../passwords/password-strength.service.js';
import { isReservedUsername } from '../shared/reserved-usernames.js';
import { SessionService } from '../sessions/session.service.js';

export interface Names {
  readonly firstName: string | null;
  readonly lastName: string | null;
}

export interface ProfileNames {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
}

/** The user data that memberships copy. */
export type NamedUser = Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'username'>;

/** An account whose address has just been verified, and its state before that. */
export interface VerifiedEmailResult {
  readonly user: User;
  readonly previousState: 'absent' | 'unverified' | 'verified';
}

/** An address with the names that someone else entered for it. */
export interface InvitedPerson {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** Users. Constraints make addresses and usernames unique regardless of case. */
@Injectable()
export class UserService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly passwords: PasswordHashService,
    private readonly passwordStrength: PasswordStrengthService,
    private readonly events: EventBus,
    private readonly sessions: SessionService,
    private readonly apiTokens: ApiTokenService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Returns the time zone for day boundaries: the requested one, otherwise the user's setting, otherwise UTC.
   * @returns an IANA name
   */
  async getTimeZone(id: number, requested?: string): Promise<string> {
    return requested ?? (await this.findById(id)).timeZone ?? 'UTC';
  }

  /** Throws for an unknown id: callers have it from a session or a row. */
  findById(id: number): Promise<User> {
    return this.em.findOneOrFail(User, { id });
  }

  /** @param email in lower case */
  findByEmail(email: string): Promise<User | null> {
    return this.em.findOne(User, { email });
  }

  /**
   * Returns the data that memberships copy, without the ORM, because every join needs it. Locks the row against changes
   * of the address until the commit, so that no copy of an outdated address is written.
   */
  findNamesForMembership(em: EntityManager, id: number): Promise<NamedUser> {
    return query<typeof UserSchema>(em)
      .selectFrom('users')
      .select(['id', 'email', 'username', 'first_name as firstName', 'last_name as lastName'])
      .where('id', '=', id)
      .forKeyShare()
      .executeTakeFirstOrThrow();
  }

  /** Returns the current user, locked until the commit, so that changes of one account are serialised. */
  lockUser(em: EntityManager, id: number): Promise<User> {
    return em.findOneOrFail(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  }

  /** @param username in lower case */
  async isUsernameAvailable(username: string): Promise<boolean> {
    if (isReservedUsername(username)) return false;
    const row = await query<typeof UserSchema>(this.em)
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirst();
    return row === undefined;
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
    const verified = await query<typeof UserSchema>(em)
      .updateTable('users')
      .set({ email_verified: true })
      .where('email', '=', email)
      .where('email_verified', '=', false)
      .executeTakeFirst();
    const user = await em.findOneOrFail(User, { email }, { refresh: true });
    await this.markEmailVerified(em, user);
    return { user, previousState: verified.numUpdatedRows > 0n ? 'unverified' : 'verified' };
  }

  /**
   * Returns the user of an address that a third party (a shop) named, and creates one if needed: unverified, without a
   * password. Concurrent calls get the same row.
   * @param email in lower case
   * @param names for a user that is created
   */
  async findOrCreateUnverified(
    em: EntityManager,
    email: string,
    language: Language,
    names: Partial<Names> = {},
  ): Promise<User> {
    const now = this.clock.now();
    const { firstName = null, lastName = null } = names;
    await query<typeof UserSchema>(em)
      .insertInto('users')
      .values({ email, language, first_name: firstName, last_name: lastName, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .execute();
    return em.findOneOrFail(User, { email }, { refresh: true });
  }

  /**
   * Creates a user with a verified address; null if the address already has an account. Concurrent calls create one.
   * @param email in lower case; the caller has verified it
   */
  async createVerified(em: EntityManager, email: string, language: Language): Promise<User | null> {
    const now = this.clock.now();
    const created = await query<typeof UserSchema>(em)
      .insertInto('users')
      .values({ email, language, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!created) return null;
    const user = await em.findOneOrFail(User, { id: created.id }, { refresh: true });
    await this.markEmailVerified(em, user);
    return user;
  }

  /**
   * Returns the users of many addresses and creates missing ones, with one statement each. Names apply to new users
   * only. New addresses are unverified, because nobody has proved ownership yet.
   * @param people addresses in lower case, without duplicates
   */
  async findOrCreateManyUnverified(em: EntityManager, people: readonly InvitedPerson[], language: Language) {
    if (people.length === 0) return [];
    const now = this.clock.now();
    const rows = people.map(({ email, firstName, lastName }) => ({ email, firstName, lastName }));
    await sql`
      insert into users (email, first_name, last_name, language, created_at, updated_at)
      select email, "firstName", "lastName", ${language}, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p(email text, "firstName" text, "lastName" text)
      order by email
      on conflict (email) do nothing`.execute(query<typeof UserSchema>(em));
    return query<typeof UserSchema>(em)
      .selectFrom('users')
      .select(['id', 'email', 'username', 'first_name as firstName', 'last_name as lastName'])
      .where(sql<boolean>`email = any(${people.map(({ email }) => email)}::text[])`)
      .orderBy('id')
      .forKeyShare()
      .execute();
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
    em.assign(user, { firstName, lastName, username, password: passwordHash });
    await this.saveProfile(em, user);
  }

  /**
   * Saves changed names and username, in the caller's transaction, and publishes the change.
   * @throws USERNAME_TAKEN on the unique constraint; the transaction is then aborted
   */
  async saveProfile(em: EntityManager, user: User): Promise<void> {
    user.updatedAt = this.clock.now();
    try {
      await em.flush();
    } catch (error) {
      if (isUniqueViolation(error, 'users_username_unique')) throw authErrors.USERNAME_TAKEN();
      throw error;
    }
    await this.events.emit(em, 'user.renamed', { user });
  }

  /**
   * Deactivates an account: ends sessions, deletes API tokens, and hides its zones and links from others. Does nothing
   * if the account is already deactivated.
   * @param actorId the acting user; null for the service itself
   */
  deactivate(userId: number, actorId: number | null, ipAddress: string | null = null): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const user = await this.lockUser(em, userId);
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
      const user = await this.lockUser(em, userId);
      if (user.erasedAt) throw commonErrors.NOT_FOUND();
      if (!user.deactivatedAt) return;
      em.assign(user, { deactivatedAt: null, updatedAt: this.clock.now() });
      await em.flush();
      await this.events.emit(em, 'user.activated', { user });
      await this.audit.record(em, { type: 'user.activated', actorId, subjectId: userId, ipAddress });
    });
  }

  /** Shared by deactivation and deletion. Runs in the caller's transaction, which must have locked the user. */
  async deactivateInTransaction(em: EntityManager, user: User): Promise<void> {
    const now = this.clock.now();
    em.assign(user, { deactivatedAt: now, updatedAt: now });
    await em.flush();
    await this.sessions.endAllSessions(em, user.id);
    await this.apiTokens.revokeAllTokens(em, user.id);
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
