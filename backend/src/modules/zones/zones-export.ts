import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../../platform/database/query.js';
import { inBatches } from '../auth/personal-data.port.js';
import { EmailConsentSchema } from './entities/email-consent.entity.js';
import { EmailUnsubscribeSchema } from './entities/email-unsubscribe.entity.js';
import { JoinRequestSchema } from './entities/join-request.entity.js';
import { ZoneLeaveSchema } from './entities/zone-leave.entity.js';
import { ZoneMemberSchema } from './entities/zone-member.entity.js';
import { ZoneSchema } from './entities/zone.entity.js';

type Tables =
  | typeof ZoneSchema
  | typeof ZoneMemberSchema
  | typeof EmailConsentSchema
  | typeof EmailUnsubscribeSchema
  | typeof JoinRequestSchema
  | typeof ZoneLeaveSchema;

/** What the zones module gives to a person's export: rows by the person's id, in batches. */

export const ownedZones = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('zones')
      .select(['id', 'name', 'description', 'type', 'public_link as publicLink', 'auto_join as autoJoin'])
      .select(['requires_email_optin as requiresEmailOptin', 'created_at as createdAt', 'updated_at as updatedAt'])
      .where('owner_id', '=', userId)
      .where('deleted_at', 'is', null)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

export const memberships = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('zone_members as m')
      .innerJoin('zones as z', 'z.id', 'm.zone_id')
      .select(['m.id as id', 'z.id as zoneId', 'z.name as zoneName', 'm.role as role', 'm.join_method as joinMethod'])
      .select(['m.is_favorite as isFavorite', 'm.expires_at as expiresAt', 'm.created_at as joinedAt'])
      .where('m.user_id', '=', userId)
      .where('z.deleted_at', 'is', null)
      .where('m.id', '>', last?.id ?? 0)
      .orderBy('m.id')
      .limit(limit)
      .execute(),
  );

export const consents = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('email_consents')
      .select(['id', 'zone_id as zoneId', 'consented_at as consentedAt', 'ip_address as ipAddress'])
      .select(['consent_method as method', 'consent_text as text'])
      .where('user_id', '=', userId)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

export const joinRequests = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('join_requests')
      .select(['id', 'zone_id as zoneId', 'method', 'consent_text as consentText', 'ip_address as ipAddress'])
      .select('created_at as createdAt')
      .where('user_id', '=', userId)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

export const unsubscribes = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('email_unsubscribes')
      .select(['id', 'zone_id as zoneId', 'unsubscribed_at as unsubscribedAt', 'reason'])
      .where('user_id', '=', userId)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

export const leaves = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('zone_leaves')
      .select(['id', 'zone_id as zoneId', 'zone_type as zoneType', 'via', 'reason', 'role'])
      .select(['join_method as joinMethod', 'joined_at as joinedAt', 'left_at as leftAt', 'undone_at as undoneAt'])
      .where('user_id', '=', userId)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
