import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { ApiTokenSchema } from './entities/api-token.entity.js';
import { SessionSchema } from './entities/session.entity.js';
import { UserSchema } from './entities/user.entity.js';
import { PersonalDataPort, inBatches, type PersonalData, type Person, type Rows } from './personal-data.port.js';

type Tables = typeof UserSchema | typeof SessionSchema | typeof ApiTokenSchema;

/** The account itself, its sessions and its API tokens, without anything that opens a door. They go with the row. */
@Injectable()
export class AuthPersonalData implements PersonalData, OnModuleInit {
  constructor(private readonly port: PersonalDataPort) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  sections(em: EntityManager, { id }: Person): Record<string, Rows> {
    return { account: account(em, id), sessions: sessions(em, id), apiTokens: apiTokens(em, id) };
  }
}

const account = (em: EntityManager, userId: number) =>
  inBatches(() =>
    query<Tables>(em)
      .selectFrom('users')
      .select(['id', 'email', 'username', 'role', 'plan', 'language', 'is_super_admin as isSuperAdmin'])
      .select(['first_name as firstName', 'last_name as lastName', 'profile_image_url as profileImageUrl'])
      .select(['email_verified as emailVerified', 'time_zone as timeZone', 'postal_address as postalAddress'])
      .select(['notify_accepted_invitations as notifyAcceptedInvitations', 'notify_suggestions as notifySuggestions'])
      .select(['username_changed_at as usernameChangedAt', 'username_change_count as usernameChangeCount'])
      .select(['subscription_status as subscriptionStatus', 'created_at as createdAt', 'updated_at as updatedAt'])
      .where('id', '=', userId)
      .execute(),
  );

const sessions = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('sessions')
      .select(['id', 'ip_address as ipAddress', 'user_agent as userAgent', 'restricted'])
      .select(['created_at as createdAt', 'last_seen_at as lastSeenAt', 'expire as expiresAt'])
      .where('user_id', '=', userId)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

const apiTokens = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('api_tokens')
      .select(['id', 'name', 'scope', 'created_at as createdAt', 'expires_at as expiresAt'])
      .select('last_used_at as lastUsedAt')
      .where('user_id', '=', userId)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
