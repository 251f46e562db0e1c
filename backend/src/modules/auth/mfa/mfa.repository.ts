import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { AuthenticatorSchema, RecoveryCodeSchema } from './entities/authenticator.entity.js';
import { hasAuthenticatorSql, hasPasskeySql } from './mfa.sql.js';

/** How a sign-in can continue: by passkey, authenticator code or recovery code. */
export type MfaMethod = 'passkey' | 'totp' | 'recovery';

interface StoredAuthenticator {
  /** Encrypted. */
  readonly secret: string;
  readonly confirmedAt: Date | null;
}

interface AuthenticatorUse {
  /** The stored secret that the code was compared with. */
  readonly secret: string;
  /** The secret to be stored, encrypted with the newest key. */
  readonly newSecret: string;
  /** The 30-second time step of the code. */
  readonly step: number;
  /** Whether the app was confirmed before; otherwise this use confirms it. */
  readonly isConfirmed: boolean;
  readonly now: Date;
}

type Tables = typeof AuthenticatorSchema | typeof RecoveryCodeSchema;

/** Authenticator apps and recovery codes. Passkeys, the other second factor, are in `PasskeyRepository`. */
@Injectable()
export class MfaRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns which second factors the user has, and whether recovery codes are left. */
  async findMethods(em: EntityManager, userId: number): Promise<Record<MfaMethod, boolean>> {
    const { rows } = await sql<Record<MfaMethod, boolean>>`
      select ${sql.raw(hasPasskeySql)} as passkey, ${sql.raw(hasAuthenticatorSql)} as totp,
        exists (select from recovery_codes r where r.user_id = u.id and r.used_at is null) as recovery
      from users u where u.id = ${userId}
    `.execute(query<Tables>(em));
    return rows[0]!;
  }

  /** Returns when the user's app was confirmed, or null if there is no confirmed app. */
  async findEnrolledAt(em: EntityManager, userId: number): Promise<Date | null> {
    const row = await query<Tables>(em)
      .selectFrom('authenticators')
      .select('confirmed_at as confirmedAt')
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst();
    return row?.confirmedAt ?? null;
  }

  async findAuthenticator(em: EntityManager, userId: number): Promise<StoredAuthenticator | null> {
    const row = await query<Tables>(em)
      .selectFrom('authenticators')
      .select(['secret', 'confirmed_at as confirmedAt'])
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Stores an unconfirmed secret, replacing an earlier unconfirmed one.
   * @param secret encrypted
   * @returns false if an app is already confirmed
   */
  async upsertAuthenticator(em: EntityManager, userId: number, secret: string): Promise<boolean> {
    const created_at = this.clock.now();
    const created = await query<Tables>(em)
      .insertInto('authenticators')
      .values({ user_id: userId, secret, created_at })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ secret, created_at, last_step: null })
          .where('authenticators.confirmed_at', 'is', null),
      )
      .executeTakeFirst();
    return Boolean(created.numInsertedOrUpdatedRows);
  }

  /**
   * Records the use of a code. Writes the time step only if it is later than the last one, so that each code counts
   * once, even under concurrency.
   * @returns false if the code was used before, or the app has changed since
   */
  async updateAuthenticator(em: EntityManager, userId: number, use: AuthenticatorUse): Promise<boolean> {
    const { secret, newSecret, step, isConfirmed, now } = use;
    const updated = await query<Tables>(em)
      .updateTable('authenticators')
      .set({ last_step: step, secret: newSecret, ...(isConfirmed ? {} : { confirmed_at: now }) })
      .where('user_id', '=', userId)
      .where('secret', '=', secret)
      .where('confirmed_at', isConfirmed ? 'is not' : 'is', null)
      .where((is) => is.or([is('last_step', 'is', null), is('last_step', '<', step)]))
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  async deleteAuthenticator(em: EntityManager, userId: number): Promise<void> {
    await query<Tables>(em).deleteFrom('authenticators').where('user_id', '=', userId).execute();
  }

  async deleteAuthenticatorAddedSince(em: EntityManager, userId: number, since: Date): Promise<void> {
    await query<Tables>(em)
      .deleteFrom('authenticators')
      .where('user_id', '=', userId)
      .where('created_at', '>=', since)
      .execute();
  }

  /** Deletes the apps that were created until an instant and never confirmed. */
  async deleteUnconfirmedAuthenticators(until: Date): Promise<void> {
    await query<Tables>(this.em)
      .deleteFrom('authenticators')
      .where('confirmed_at', 'is', null)
      .where('created_at', '<=', until)
      .execute();
  }

  /** @param digests one for each code */
  async insertRecoveryCodes(em: EntityManager, userId: number, digests: readonly string[]): Promise<void> {
    const created_at = this.clock.now();
    const rows = digests.map((digest) => ({ user_id: userId, digest, created_at }));
    await query<Tables>(em).insertInto('recovery_codes').values(rows).execute();
  }

  /**
   * Consumes a code. Of concurrent calls with the same code, one returns true.
   * @param digests of the code, under every configured secret
   */
  async consumeRecoveryCode(em: EntityManager, userId: number, digests: readonly string[]): Promise<boolean> {
    const used = await query<Tables>(em)
      .updateTable('recovery_codes')
      .set({ used_at: this.clock.now() })
      .where('user_id', '=', userId)
      .where('digest', 'in', [...digests])
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return used.numUpdatedRows > 0n;
  }

  async countUnusedRecoveryCodes(em: EntityManager, userId: number): Promise<number> {
    const { count } = await query<Tables>(em)
      .selectFrom('recovery_codes')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow();
    return count;
  }

  async deleteRecoveryCodes(em: EntityManager, userId: number): Promise<void> {
    await query<Tables>(em).deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  }

  async deleteRecoveryCodesAddedSince(em: EntityManager, userId: number, since: Date): Promise<void> {
    await query<Tables>(em)
      .deleteFrom('recovery_codes')
      .where('user_id', '=', userId)
      .where('created_at', '>=', since)
      .execute();
  }
}
