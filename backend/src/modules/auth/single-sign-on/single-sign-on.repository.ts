import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { SSO_LIFETIME } from '../shared/browser-cookies.js';
import type { LinkedIdentityDto } from './dto/single-sign-on.dto.js';
import type {
  ExternalIdentitySchema,
  PendingIdentityLinkSchema,
  SsoAuthorizationRequestSchema,
} from './entities/external-identity.entity.js';

/** The stored part of an identity. */
export interface LinkedIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
}

/** An identity as shown to its user. */
export type LinkedIdentityRow = Omit<LinkedIdentityDto, 'provider'> & { readonly issuer: string };

export interface PendingLinkRow extends LinkedIdentity {
  readonly id: number;
  readonly userId: number;
}

/** What identifies an account at a provider. */
type IdentityKey = Pick<LinkedIdentity, 'issuer' | 'subject'>;

type Tables = typeof ExternalIdentitySchema | typeof PendingIdentityLinkSchema | typeof SsoAuthorizationRequestSchema;

/**
 * External identities, the links that wait for the account's owner, and sign-ins sent to the provider. The ids in
 * cookies are stored as digests.
 */
@Injectable()
export class SingleSignOnRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns all identities of a user, oldest first; one per account that the user has at the provider. */
  findIdentities(userId: number): Promise<LinkedIdentityRow[]> {
    return query<Tables>(this.em)
      .selectFrom('external_identities')
      .select(['id', 'issuer', 'email', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
  }

  /** Returns the identities of a user whose row is locked. */
  findIdentitiesOfLockedUser(em: EntityManager, userId: number): Promise<{ id: number; issuer: string }[]> {
    return query<Tables>(em)
      .selectFrom('external_identities')
      .select(['id', 'issuer'])
      .where('user_id', '=', userId)
      .execute();
  }

  async hasIdentity(em: EntityManager, userId: number): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('external_identities')
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns the user that an identity is linked to. */
  async findOwner({ issuer, subject }: IdentityKey): Promise<number | null> {
    const row = await query<Tables>(this.em)
      .selectFrom('external_identities')
      .select('user_id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row?.user_id ?? null;
  }

  /**
   * Records the use of an identity.
   * @param email the provider's current value; it is only displayed, never compared
   * @returns the user it is linked to, or null
   */
  async updateUsed(
    em: EntityManager,
    { issuer, subject, email }: IdentityKey & { readonly email: string | null },
  ): Promise<number | null> {
    const now = this.clock.now();
    const row = await query<Tables>(em)
      .updateTable('external_identities')
      .set({ last_used_at: now, ...(email && { email: email.slice(0, 255) }) })
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .returning('user_id')
      .executeTakeFirst();
    return row?.user_id ?? null;
  }

  /** @returns false if the identity is already linked, to any account */
  async insertIdentity(
    em: EntityManager,
    userId: number,
    { issuer, subject, email }: LinkedIdentity,
    now: Date,
  ): Promise<boolean> {
    const created = await query<Tables>(em)
      .insertInto('external_identities')
      .values({ user_id: userId, issuer, subject, email, created_at: now, last_used_at: now })
      .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
      .executeTakeFirst();
    return created.numInsertedOrUpdatedRows !== 0n;
  }

  async deleteIdentity(em: EntityManager, id: number): Promise<void> {
    await query<Tables>(em).deleteFrom('external_identities').where('id', '=', id).execute();
  }

  async deleteIdentitiesOf(em: EntityManager, userId: number): Promise<void> {
    await query<Tables>(em).deleteFrom('external_identities').where('user_id', '=', userId).execute();
  }

  async deleteIdentitiesAddedSince(em: EntityManager, userId: number, since: Date): Promise<void> {
    await query<Tables>(em)
      .deleteFrom('external_identities')
      .where('user_id', '=', userId)
      .where('created_at', '>=', since)
      .execute();
  }

  /**
   * Stores a link that the account's owner must confirm.
   * @param id for the browser's cookie
   */
  async insertPendingLink(id: string, userId: number, { issuer, subject, email }: LinkedIdentity): Promise<void> {
    const now = this.clock.now();
    const times = { created_at: now, expires_at: addMilliseconds(now, SSO_LIFETIME) };
    await query<Tables>(this.em)
      .insertInto('pending_identity_links')
      .values({ digest: digestOf(id), user_id: userId, issuer, subject, email, ...times })
      .execute();
  }

  /** Counts an attempt to confirm a link, outside any transaction. */
  async countLinkAttempt(id: string | null): Promise<void> {
    await query<Tables>(this.em.fork())
      .updateTable('pending_identity_links')
      .set({ tries: sql<number>`tries + 1` })
      .where('digest', '=', digestOf(id ?? ''))
      .execute();
  }

  /** Returns an unexpired link with fewer than `maxTries` attempts. @param id from the browser's cookie */
  async findPendingLink(id: string | null, maxTries: number): Promise<PendingLinkRow | null> {
    const row = await query<Tables>(this.em.fork())
      .selectFrom('pending_identity_links')
      .select(['id', 'user_id as userId', 'issuer', 'subject', 'email'])
      .where('digest', '=', digestOf(id ?? ''))
      .where('expires_at', '>', this.clock.now())
      .where('tries', '<', maxTries)
      .executeTakeFirst();
    return row ?? null;
  }

  /** @returns false if a concurrent call has deleted it */
  async deletePendingLink(em: EntityManager, id: number): Promise<boolean> {
    const deleted = await query<Tables>(em)
      .deleteFrom('pending_identity_links')
      .where('id', '=', id)
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  async deletePendingLinksOf(em: EntityManager, userId: number): Promise<void> {
    await query<Tables>(em).deleteFrom('pending_identity_links').where('user_id', '=', userId).execute();
  }

  async deleteExpiredPendingLinks(now: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('pending_identity_links').where('expires_at', '<=', now).execute();
  }

  /**
   * Stores a sign-in that is sent to the provider.
   * @param id for the browser's cookie
   * @param next path of this site to redirect to afterwards
   */
  async insertAuthorizationRequest(id: string, next: string | null): Promise<void> {
    const now = this.clock.now();
    const row = { digest: digestOf(id), next, created_at: now, expires_at: addMilliseconds(now, SSO_LIFETIME) };
    await query<Tables>(this.em).insertInto('begun_sign_ins').values(row).execute();
  }

  /**
   * Consumes a sign-in that has returned from the provider. Of concurrent calls, one gets it.
   * @returns null if it is unknown, expired or completed
   */
  async consumeAuthorizationRequest(id: string): Promise<{ next: string | null } | null> {
    const row = await query<Tables>(this.em)
      .deleteFrom('begun_sign_ins')
      .where('digest', '=', digestOf(id))
      .where('expires_at', '>', this.clock.now())
      .returning('next')
      .executeTakeFirst();
    return row ?? null;
  }

  async deleteExpiredAuthorizationRequests(now: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('begun_sign_ins').where('expires_at', '<=', now).execute();
  }
}
