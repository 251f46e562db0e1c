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

/** A person as memberships know them. */
export type NamedUser = Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'username'>;

/** An account whose address its person has just proved, and what it was until then. */
export interface VerifiedEmailResult {
  readonly user: User;
  readonly previousState: 'absent' | 'unverified' | 'verified';
}

/** An address with the names that somebody else gave for it. */
export interface InvitedPerson {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** People. Addresses and user names are unique without regard to case, by constraints. */
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
   * By which time zone days are told apart for somebody: the one asked for, else that of their settings, else UTC.
   * @returns an IANA name
   */
  async getTimeZone(id: number, requested?: string): Promise<string> {
    return requested ?? (await this.findById(id)).timeZone ?? 'UTC';
  }

  /** Fails for an id that nobody has: callers have it from a session or a row. */
  findById(id: number): Promise<User> {
    return this.em.findOneOrFail(User, { id });
  }

  /** @param email in lower case */
  findByEmail(email: string): Promise<User | null> {
    return this.em.findOne(User, { email });
  }

  /**
   * What memberships keep of a person, read without the mapper: it is asked for at every join. The address stays as it is
   * until the commit, so that no copy of an older one is written beside a change.
   */
  findNamesForMembership(em: EntityManager, id: number): Promise<NamedUser> {
    return query<typeof UserSchema>(em)
      .selectFrom('users')
      .select(['id', 'email', 'username', 'first_name as firstName', 'last_name as lastName'])
      .where('id', '=', id)
      .forKeyShare()
      .executeTakeFirstOrThrow();
  }

  /** The person as they are now, locked until the commit: changes of one account come one after the other. */
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
   * The person with a verified address, made when there is none; two who come at once get the same row.
   * @param email in lower case, proved to be theirs by the caller
   */
  async findOrCreateVerified(em: EntityManager, email: string, language: Language): Promise<User> {
    return (await this.findOrCreateVerifiedWithState(em, email, language)).user;
  }

  /**
   * As `findOrCreateVerified`, and says what was there before. Of two that prove the same address at once, one gets the
   * earlier state.
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
   * The person with an address that others named (a shop), made when there is none: without a password, and not
   * verified. Two who come at once get the same row.
   * @param email in lower case
   * @param names of the person who is made
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
   * A new person with a verified address; null when the address has an account already. Two who come at once make one.
   * @param email in lower case, proved to be theirs by the caller
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
   * The people of many addresses, made where there are none, with one statement each; names are taken for new people
   * only. Their addresses are not verified: nobody has shown yet that they are theirs.
   * @param people addresses in lower case, each once
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
   * Notes that the address is theirs; the address named by SUPER_ADMIN_EMAIL becomes super admin by that. The caller's
   * transaction writes it.
   */
  async markEmailVerified(em: EntityManager, user: User): Promise<void> {
    user.emailVerified = true;
    if (user.email !== this.config.superAdminEmail || user.isSuperAdmin) return;
    user.isSuperAdmin = true;
    await this.audit.record(em, { type: 'user.super-admin-granted', subjectId: user.id });
  }

  /**
   * Sets names, user name and password of a person who has none yet. The caller's transaction writes it.
   * @throws USERNAME_TAKEN for a reserved name, or at the flush here, by the constraint
   */
  async completeProfile(em: EntityManager, user: User, profile: ProfileNames, passwordHash: string): Promise<void> {
    const { firstName, lastName, username } = profile;
    if (isReservedUsername(username)) throw authErrors.USERNAME_TAKEN();
    em.assign(user, { firstName, lastName, username, password: passwordHash });
    await this.saveProfile(em, user);
  }

  /**
   * Writes changed names and user name, in the caller's transaction, and lets copies of them follow.
   * @throws USERNAME_TAKEN by the constraint; the transaction is of no use after it
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
   * Shuts somebody out: sessions end, API tokens are refused, and to others their zones and links are not there.
   * Nothing happens to somebody who is shut out already.
   * @param actorId who does it; null for the service itself
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
   * Undoes `deactivate`; it never verifies an address, and brings no session back.
   * @throws NOT_FOUND for an account that its person has deleted
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

  /** What deactivating and deleting have in common, in the caller's transaction, which has locked the person. */
  async deactivateInTransaction(em: EntityManager, user: User): Promise<void> {
    const now = this.clock.now();
    em.assign(user, { deactivatedAt: now, updatedAt: now });
    await em.flush();
    await this.sessions.endAllSessions(em, user.id);
    await this.apiTokens.revokeAllTokens(em, user.id);
    await this.events.emit(em, 'user.deactivated', { user });
  }

  /**
   * Hashes a password that somebody sets. Hashing is dear: whoever calls has seen before that they may set one.
   * @param field the field of the form, for the message
   * @param owner whose it is to be, as far as is known
   * @throws VALIDATION_FAILED for one that is easy to guess; SERVER_BUSY
   */
  async validateAndHashPassword(password: string, field: string, owner: PasswordOwner): Promise<string> {
    await this.passwordStrength.assertStrong(password, field, owner);
    return this.passwords.hash(password);
  }
}
