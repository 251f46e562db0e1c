import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { acquireAdvisoryLock } from '../../../platform/database/advisory-lock.js';
import { isUniqueViolation } from '../../../platform/database/constraint-violations.js';
import { query } from '../../../platform/database/query.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { User, type UserSchema, type UsernameChangeSchema } from '../entities/user.entity.js';

export interface Names {
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** The user data that memberships copy. */
export type NamedUser = Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'username'>;

/** An address with the names that someone else entered for it. */
export interface InvitedPerson {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

type Tables = typeof UserSchema | typeof UsernameChangeSchema;

/**
 * Users and their changes of username. Constraints make addresses and usernames unique regardless of case. The lock of a
 * user's row serialises changes of the account.
 */
@Injectable()
export class UserRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns the user as stored now; null for a deactivated or deleted account. */
  findActiveUser(id: number): Promise<User | null> {
    return this.em.fork().findOne(User, { id, deactivatedAt: null, erasedAt: null });
  }

  /** @param email in lower case */
  findActiveUserByEmail(email: string): Promise<User | null> {
    return this.em.fork().findOne(User, { email, deactivatedAt: null, erasedAt: null });
  }

  /** Returns the user as stored now, also if deactivated; null for a deleted account. */
  findUser(id: number): Promise<User | null> {
    return this.em.fork().findOne(User, { id, erasedAt: null });
  }

  /** @param email in lower case */
  findUserByEmail(email: string): Promise<User | null> {
    return this.em.findOne(User, { email });
  }

  /** Returns the user as the transaction sees it, for changes in its unit of work. Throws for an unknown id. */
  getUserIn(em: EntityManager, id: number): Promise<User> {
    return em.findOneOrFail(User, { id });
  }

  /** Returns the user as the transaction sees it, also for a deleted account; null for an unknown id. */
  findUserOrErasedIn(em: EntityManager, id: number): Promise<User | null> {
    return em.findOne(User, { id });
  }

  /**
   * Returns the ids of the users of addresses, in order.
   * @param emails in lower case
   */
  async findIdsByEmail(em: EntityManager, emails: readonly string[]): Promise<number[]> {
    if (emails.length === 0) return [];
    const rows = await query<Tables>(em)
      .selectFrom('users')
      .select('id')
      .where('email', 'in', emails)
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Returns the addresses of those of the users who can sign in, in id order. */
  async findActiveEmails(ids: readonly number[]): Promise<string[]> {
    const active = { id: { $in: ids }, deactivatedAt: null, erasedAt: null };
    return (await this.em.find(User, active, { orderBy: { id: 'asc' } })).map(({ email }) => email);
  }

  /** Returns the user as the transaction sees it, also if deactivated; null for a deleted account. */
  findUserIn(em: EntityManager, where: { readonly id: number } | { readonly email: string }): Promise<User | null> {
    return em.findOne(User, { ...where, erasedAt: null });
  }

  /** Returns whether the account exists and isn't deleted. */
  async exists(em: EntityManager, id: number): Promise<boolean> {
    return (await em.count(User, { id, erasedAt: null })) > 0;
  }

  /** Returns the user as stored now. Throws for an unknown id: callers have it from a session or a row. */
  getUser(id: number): Promise<User> {
    return this.em.fork().findOneOrFail(User, { id });
  }

  /**
   * Returns the user in the current request or transaction, which reads the row once. Throws for an unknown id: callers
   * have it from a session or a row.
   */
  getManagedUser(id: number): Promise<User> {
    return this.em.findOneOrFail(User, { id });
  }

  /** Reads the user again after a statement has changed or inserted the row. */
  reloadUser(em: EntityManager, where: { readonly id: number } | { readonly email: string }): Promise<User> {
    return em.findOneOrFail(User, where, { refresh: true });
  }

  /** Returns the current user, locked until the commit, so that changes of one account are serialised. */
  lockUser(em: EntityManager, id: number): Promise<User> {
    return em.findOneOrFail(User, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  }

  /**
   * Returns the current user of an address, locked against changes until the commit. Others can hold the same lock.
   * @param email in lower case
   */
  lockUserByEmailShared(em: EntityManager, email: string): Promise<User | null> {
    return em.findOne(User, { email }, { lockMode: LockMode.PESSIMISTIC_READ, refresh: true });
  }

  /**
   * Returns the data that memberships copy, without the ORM, because every join needs it. Locks the row against changes
   * of the address until the commit, so that no copy of an outdated address is written.
   */
  findNamesForMembership(em: EntityManager, id: number): Promise<NamedUser> {
    return query<Tables>(em)
      .selectFrom('users')
      .select(['id', 'email', 'username', 'first_name as firstName', 'last_name as lastName'])
      .where('id', '=', id)
      .forKeyShare()
      .executeTakeFirstOrThrow();
  }

  /** @param username in lower case */
  async isUsernameTaken(username: string): Promise<boolean> {
    const row = await query<Tables>(this.em)
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns true if no other account exists; with null, if there is no account at all. */
  async isOnlyAccount(em: EntityManager, userId: number | null): Promise<boolean> {
    const other = await query<Tables>(em)
      .selectFrom('users')
      .select('id')
      .where('id', 'is distinct from', userId)
      .limit(1)
      .executeTakeFirst();
    return other === undefined;
  }

  /**
   * Inserts a user with an unverified address. Concurrent calls insert one.
   * @param email in lower case
   * @returns the new user's id; null if the address already has an account
   */
  async insertUser(
    em: EntityManager,
    email: string,
    language: Language,
    { isSuperAdmin = false } = {},
  ): Promise<number | null> {
    const now = this.clock.now();
    const created = await query<Tables>(em)
      .insertInto('users')
      .values({ email, language, ...(isSuperAdmin && { is_super_admin: true }), created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    return created?.id ?? null;
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
    await query<Tables>(em)
      .insertInto('users')
      .values({ email, language, first_name: firstName, last_name: lastName, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .execute();
    return this.reloadUser(em, { email });
  }

  /**
   * Returns the users of many addresses and creates missing ones, with one statement each. Names apply to new users
   * only. New addresses are unverified, because nobody has proved ownership yet.
   * @param people addresses in lower case, without duplicates
   */
  async findOrCreateManyUnverified(
    em: EntityManager,
    people: readonly InvitedPerson[],
    language: Language,
  ): Promise<NamedUser[]> {
    if (people.length === 0) return [];
    const now = this.clock.now();
    const rows = people.map(({ email, firstName, lastName }) => ({ email, firstName, lastName }));
    await sql`
      insert into users (email, first_name, last_name, language, created_at, updated_at)
      select email, "firstName", "lastName", ${language}, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p(email text, "firstName" text, "lastName" text)
      order by email
      on conflict (email) do nothing`.execute(query<Tables>(em));
    return query<Tables>(em)
      .selectFrom('users')
      .select(['id', 'email', 'username', 'first_name as firstName', 'last_name as lastName'])
      .where(sql<boolean>`email = any(${people.map(({ email }) => email)}::text[])`)
      .orderBy('id')
      .forKeyShare()
      .execute();
  }

  /**
   * Marks an address as verified.
   * @returns false if it was verified before; of concurrent calls, one returns true
   */
  async setEmailVerified(em: EntityManager, email: string): Promise<boolean> {
    const verified = await query<Tables>(em)
      .updateTable('users')
      .set({ email_verified: true })
      .where('email', '=', email)
      .where('email_verified', '=', false)
      .executeTakeFirst();
    return verified.numUpdatedRows > 0n;
  }

  /** Writes the changes of the users that `em` has loaded. */
  async saveUsers(em: EntityManager): Promise<void> {
    await em.flush();
  }

  /** Changes fields of a locked user. */
  async updateUser(
    em: EntityManager,
    user: User,
    changes: Partial<Pick<User, 'password' | 'hasExternalIdentity' | 'deactivatedAt' | 'role' | 'isSuperAdmin'>>,
  ): Promise<void> {
    em.assign(user, { ...changes, updatedAt: this.clock.now() });
    await em.flush();
  }

  /** Deactivates a locked user. */
  async deactivateUser(em: EntityManager, user: User): Promise<void> {
    const now = this.clock.now();
    em.assign(user, { deactivatedAt: now, updatedAt: now });
    await em.flush();
  }

  /**
   * Changes the address of a locked user.
   * @returns false if another account has it; the transaction is then aborted
   */
  updateEmail(em: EntityManager, user: User, email: string, emailVerified: boolean): Promise<boolean> {
    em.assign(user, { email, emailVerified, updatedAt: this.clock.now() });
    return this.flushUnique(em, 'users_email_unique');
  }

  /**
   * Writes the names and the username that were changed in the entity.
   * @returns false if another account has the username; the transaction is then aborted
   */
  saveProfile(em: EntityManager, user: User): Promise<boolean> {
    user.updatedAt = this.clock.now();
    return this.flushUnique(em, 'users_username_unique');
  }

  /** Returns when a user changed their username since an instant, the latest first. */
  async findUsernameChanges(em: EntityManager, userId: number, since: Date): Promise<Date[]> {
    const rows = await query<Tables>(em)
      .selectFrom('username_changes')
      .select('changed_at')
      .where('user_id', '=', userId)
      .where('changed_at', '>', since)
      .orderBy('changed_at', 'desc')
      .execute();
    return rows.map((row) => row.changed_at);
  }

  async insertUsernameChange(em: EntityManager, userId: number, changedAt: Date): Promise<void> {
    await query<Tables>(em).insertInto('username_changes').values({ user_id: userId, changed_at: changedAt }).execute();
  }

  async deleteUsernameChanges(until: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('username_changes').where('changed_at', '<=', until).execute();
  }

  /**
   * Makes the account of a verified address a super admin.
   * @returns its id; null if there is none, or if it is one already
   */
  async grantSuperAdmin(em: EntityManager, email: string): Promise<number | null> {
    const granted = await query<Tables>(em)
      .updateTable('users')
      .set({ is_super_admin: true })
      .where('email', '=', email)
      .where('email_verified', '=', true)
      .where('is_super_admin', '=', false)
      .returning('id')
      .executeTakeFirst();
    return granted?.id ?? null;
  }

  /** Returns the super admins who can sign in, with what is needed to email them. */
  findActiveSuperAdmins(em: EntityManager) {
    return query<Tables>(em)
      .selectFrom('users')
      .select(['id', 'email', 'language'])
      .where('is_super_admin', '=', true)
      .where('deactivated_at', 'is', null)
      .orderBy('id')
      .execute();
  }

  /**
   * Serialises, until the commit, the ways to become the first super admin: two setup keys at once, or a key and the
   * command. Must be called before anything is locked.
   * @returns whether there is a super admin who can sign in, read under the lock
   */
  async lockSuperAdminCreation(em: EntityManager): Promise<boolean> {
    await acquireAdvisoryLock(em, 'super-admin');
    return (await this.findActiveSuperAdmins(em)).length > 0;
  }

  /**
   * Locks all super admins who can sign in, until the commit. This serialises changes, so that the last ones can't all
   * be removed at once. Must be called before any other user is locked.
   * @param userId another user to be locked too; all are locked in id order to prevent deadlocks
   * @returns the ids of the super admins, read under the lock
   */
  async lockActiveSuperAdmins(em: EntityManager, userId = 0): Promise<number[]> {
    const rows = await query<Tables>(em)
      .selectFrom('users')
      .select(['id', 'is_super_admin as isSuperAdmin', 'deactivated_at as deactivatedAt'])
      .where((row) =>
        row.or([
          row('id', '=', userId),
          row.and([row('is_super_admin', '=', true), row('deactivated_at', 'is', null)]),
        ]),
      )
      .orderBy('id')
      .forUpdate()
      .execute();
    return rows.filter((row) => row.isSuperAdmin && row.deactivatedAt === null).map(({ id }) => id);
  }

  private async flushUnique(em: EntityManager, constraint: string): Promise<boolean> {
    try {
      await em.flush();
      return true;
    } catch (error) {
      if (isUniqueViolation(error, constraint)) return false;
      throw error;
    }
  }
}
