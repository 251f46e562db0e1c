import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import type { Language } from '../../platform/errors/app-error.js';
import { query } from '../../platform/database/query.js';
import { violatesUnique } from '../../platform/database/unique-violation.js';
import { fieldError } from '../../platform/http/validation.js';
import { authErrors } from './auth.errors.js';
import { isCommonPassword } from './common-passwords.js';
import { User, UserSchema } from './entities/user.entity.js';
import { PasswordService } from './password.service.js';
import { UserNamePort } from './user-name.port.js';

export interface Profile {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
  readonly password: string;
}

/** People. Addresses and user names are unique without regard to case, by constraints. */
@Injectable()
export class UserService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly passwords: PasswordService,
    private readonly names: UserNamePort,
  ) {}

  findById(id: number): Promise<User> {
    return this.em.findOneOrFail(User, { id });
  }

  /** @param email in lower case */
  findByEmail(email: string): Promise<User | null> {
    return this.em.findOne(User, { email });
  }

  /** @param username in lower case */
  async isUsernameFree(username: string): Promise<boolean> {
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
    const now = this.clock.now();
    await query<typeof UserSchema>(em)
      .insertInto('users')
      .values({ email, language, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .execute();
    const user = await em.findOneOrFail(User, { email }, { refresh: true });
    this.markVerified(user);
    return user;
  }

  /** Notes that the address is theirs; the address named by SUPER_ADMIN_EMAIL becomes super admin by that. */
  markVerified(user: User): void {
    user.emailVerified = true;
    if (user.email === this.config.superAdminEmail) user.isSuperAdmin = true;
  }

  /**
   * Sets names, user name and password of a person who has none yet. The caller's transaction writes it.
   * @throws USERNAME_TAKEN at the flush here, by the constraint
   */
  async completeProfile(em: EntityManager, user: User, profile: Profile, passwordHash: string): Promise<void> {
    const now = this.clock.now();
    em.assign(user, {
      firstName: profile.firstName,
      lastName: profile.lastName,
      username: profile.username,
      password: passwordHash,
      updatedAt: now,
    });
    try {
      await em.flush();
    } catch (error) {
      if (violatesUnique(error, 'users_username_unique')) throw authErrors.USERNAME_TAKEN();
      throw error;
    }
    await this.names.changed(em, user);
  }

  /**
   * Hashes a password that somebody sets.
   * @param field the field of the form, for the message
   * @throws VALIDATION_FAILED for one of the commonest
   */
  async hashNew(password: string, field: string): Promise<string> {
    if (isCommonPassword(password)) {
      throw fieldError(field, {
        en: 'This password is too common. Please choose another one.',
        tr: 'Bu parola çok yaygın. Lütfen başka bir parola seçin.',
      });
    }
    return this.passwords.hash(password);
  }
}
