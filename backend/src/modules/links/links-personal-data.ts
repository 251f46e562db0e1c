import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import {
  inBatches,
  PersonalDataPort,
  type ErasedPerson,
  type ErasureState,
  type Person,
  type PersonalData,
  type Rows,
} from '../auth/personal-data.port.js';
import { SingleUseTokenSchema } from '../auth/entities/single-use-token.entity.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import { LinkUsageSchema } from './entities/link-usage.entity.js';
import { PendingJoinSchema } from './entities/pending-join.entity.js';
import { TemporaryLinkSchema } from './entities/temporary-link.entity.js';
import { subjectOf } from './verify-join.service.js';

type Tables =
  | typeof PendingJoinSchema
  | typeof SingleUseTokenSchema
  | typeof LinkUsageSchema
  | typeof TemporaryLinkSchema
  | typeof ZoneSchema;

/** Wishes to join that hang on an address, not on a person's row; tries to join; the links that an owner made. */
@Injectable()
export class LinksPersonalData implements PersonalData, OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly port: PersonalDataPort,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  sections(em: EntityManager, { id, email }: Person): Record<string, Rows> {
    return {
      pendingJoins: pendingJoins(em, email),
      linkUsages: linkUsages(em, id),
      temporaryLinks: temporaryLinks(em, id),
    };
  }

  async erase({ id: userId, email, requestedAt }: ErasedPerson): Promise<ErasureState> {
    await inTransaction(this.em.fork(), async (em) => {
      await this.forgetTries(em, userId, email, requestedAt);
      const wishes = await query<Tables>(em)
        .deleteFrom('pending_joins')
        .where('email', '=', email)
        .where('created_at', '<=', requestedAt)
        .returning('id')
        .execute();
      if (wishes.length === 0) return;
      const subjects = wishes.map(({ id }) => subjectOf(id));
      await query<Tables>(em)
        .deleteFrom('single_use_tokens')
        .where('email', '=', email)
        .where('subject', 'in', subjects)
        .execute();
    });
    return 'done';
  }

  /** What happened at a link stays in its figures, but not whose it was. */
  private async forgetTries(em: EntityManager, userId: number, email: string, requestedAt: Date): Promise<void> {
    const nobody = { user_id: null, ip_address: null, user_agent: null, city: null };
    const asked = query<Tables>(em)
      .selectFrom('pending_joins')
      .select('usage_id')
      .where('email', '=', email)
      .where('created_at', '<=', requestedAt)
      .where('usage_id', 'is not', null);
    await query<Tables>(em).updateTable('link_usages').set(nobody).where('user_id', '=', userId).execute();
    await query<Tables>(em).updateTable('link_usages').set(nobody).where('id', 'in', asked).execute();
  }
}

const pendingJoins = (em: EntityManager, email: string) =>
  inBatches((last: { id: number } | null, limit) =>
    query<typeof PendingJoinSchema>(em)
      .selectFrom('pending_joins')
      .select(['id', 'zone_id as zoneId', 'consent_text as consentText', 'ip_address as ipAddress', 'language'])
      .select(['created_at as createdAt', 'expires_at as expiresAt', 'completed_at as completedAt'])
      .where('email', '=', email)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

const linkUsages = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('link_usages')
      .select(['id', 'zone_id as zoneId', 'link_id as linkId', 'outcome', 'ip_address as ipAddress'])
      .select(['user_agent as userAgent', 'country', 'city', 'was_new_user as wasNewUser'])
      .select(['attempted_at as attemptedAt', 'joined_at as joinedAt'])
      .where('user_id', '=', userId)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

const temporaryLinks = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('temporary_links as l')
      .innerJoin('zones as z', 'z.id', 'l.zone_id')
      .select(['l.id as id', 'l.zone_id as zoneId', 'l.name as name', 'l.token as token', 'l.expires_at as expiresAt'])
      .select(['l.max_uses as maxUses', 'l.current_uses as currentUses', 'l.is_active as isActive'])
      .select(['l.membership_days as membershipDays', 'l.created_at as createdAt', 'l.updated_at as updatedAt'])
      .where('z.owner_id', '=', userId)
      .where('z.deleted_at', 'is', null)
      .where('l.id', '>', last?.id ?? 0)
      .orderBy('l.id')
      .limit(limit)
      .execute(),
  );
