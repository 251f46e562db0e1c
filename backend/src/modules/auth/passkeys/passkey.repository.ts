import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { PasskeyDto } from '../mfa/dto/factors.dto.js';
import type { PasskeyChallengeSchema, PasskeySchema } from './entities/passkey.entity.js';

interface NewPasskey {
  readonly userId: number;
  readonly name: string;
  readonly credentialId: string;
  readonly counter: number;
  /** In base64url. */
  readonly publicKey: string;
  readonly transports: readonly string[];
  readonly verifiesUser: boolean;
}

/** What is needed to verify a signature. */
interface StoredPasskey {
  readonly id: number;
  readonly publicKey: string;
  readonly counter: number;
}

type Tables = typeof PasskeySchema | typeof PasskeyChallengeSchema;

const columns = freezeList(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt']);

/** Passkeys and the challenges that they sign. */
@Injectable()
export class PasskeyRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns the user's passkeys, oldest first. */
  findPasskeys(userId: number): Promise<PasskeyDto[]> {
    return query<Tables>(this.em)
      .selectFrom('passkeys')
      .select(columns)
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
  }

  /** Returns the user's passkeys as WebAuthn credential descriptors. */
  async findCredentials(userId: number): Promise<{ id: string; transports: string[] }[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('passkeys')
      .select(['credential_id as id', 'transports'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
    return rows.map(({ id, transports }) => ({ id, transports: transports.split(',').filter(Boolean) }));
  }

  /** Returns the owner of a credential. */
  async findOwner(credentialId: string): Promise<number | null> {
    const row = await query<Tables>(this.em)
      .selectFrom('passkeys')
      .select('user_id as userId')
      .where('credential_id', '=', credentialId)
      .executeTakeFirst();
    return row?.userId ?? null;
  }

  async findPasskey(em: EntityManager, userId: number, credentialId: string): Promise<StoredPasskey | null> {
    const row = await query<Tables>(em)
      .selectFrom('passkeys')
      .select(['id', 'public_key as publicKey', 'counter'])
      .where('credential_id', '=', credentialId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns true if one of the user's passkeys has asked for a PIN, fingerprint or face. */
  async hasUserVerifyingPasskey(userId: number): Promise<boolean> {
    const row = await query<Tables>(this.em)
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', userId)
      .where('verifies_user', '=', true)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async countPasskeys(em: EntityManager, userId: number): Promise<number> {
    const rows = await query<Tables>(em).selectFrom('passkeys').select('id').where('user_id', '=', userId).execute();
    return rows.length;
  }

  /** @returns null for a credential that is already registered, by any user */
  async insertPasskey(em: EntityManager, passkey: NewPasskey): Promise<PasskeyDto | null> {
    const row = await query<Tables>(em)
      .insertInto('passkeys')
      .values({
        user_id: passkey.userId,
        credential_id: passkey.credentialId,
        counter: passkey.counter,
        name: passkey.name,
        public_key: passkey.publicKey,
        transports: passkey.transports.join(','),
        verifies_user: passkey.verifiesUser,
        created_at: this.clock.now(),
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning(columns)
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Records a use. The counter must increase, so copies of a passkey and replayed responses are rejected.
   * @returns false if it doesn't
   */
  async updateUsed(
    em: EntityManager,
    id: number,
    { counter, userVerified }: { readonly counter: number; readonly userVerified: boolean },
  ): Promise<boolean> {
    const used = await query<Tables>(em)
      .updateTable('passkeys')
      .set({ counter, last_used_at: this.clock.now() })
      .set({ verifies_user: sql<boolean>`verifies_user or ${userVerified}` })
      .where('id', '=', id)
      .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
      .executeTakeFirst();
    return used.numUpdatedRows > 0n;
  }

  /** @returns the renamed passkey; null if the user has no such passkey */
  async updateName(userId: number, id: number, name: string): Promise<PasskeyDto | null> {
    const renamed = await query<Tables>(this.em)
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning(columns)
      .executeTakeFirst();
    return renamed ?? null;
  }

  /** @returns the name of the deleted passkey; null if the user has no such passkey */
  async deletePasskey(em: EntityManager, userId: number, id: number): Promise<string | null> {
    const deleted = await query<Tables>(em)
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('name')
      .executeTakeFirst();
    return deleted?.name ?? null;
  }

  async deletePasskeysAddedSince(em: EntityManager, userId: number, since: Date): Promise<void> {
    await query<Tables>(em)
      .deleteFrom('passkeys')
      .where('user_id', '=', userId)
      .where('created_at', '>=', since)
      .execute();
  }

  /** Stores a challenge, outside any transaction. */
  async insertChallenge(digest: string, expiresAt: Date): Promise<void> {
    await query<Tables>(this.em.fork())
      .insertInto('passkey_challenges')
      .values({ digest, expires_at: expiresAt })
      .execute();
  }

  /**
   * Consumes a challenge, outside any transaction, so that a wrong response consumes it too.
   * @returns false if it is unknown, expired or used; of concurrent calls, one returns true
   */
  async consumeChallenge(digest: string): Promise<boolean> {
    const deleted = await query<Tables>(this.em.fork())
      .deleteFrom('passkey_challenges')
      .where('digest', '=', digest)
      .where('expires_at', '>', this.clock.now())
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  async deleteExpiredChallenges(now: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute();
  }
}
