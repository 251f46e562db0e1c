import { defineEntity, p } from '@mikro-orm/core';
import type { Scope } from '../../../platform/http/viewer.js';
import { User } from './user.entity.js';

/** A key with which programs act for a person; `digest` is its SHA-256. */
export const ApiTokenSchema = defineEntity({
  name: 'ApiToken',
  tableName: 'api_tokens',
  indexes: [
    { name: 'api_tokens_user_id_index', properties: ['userId'] },
    { name: 'api_tokens_expires_at_index', properties: ['expiresAt'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    digest: p.string().length(64).unique('api_tokens_digest_unique'),
    userId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .fieldName('user_id')
        .deleteRule('cascade')
        .foreignKeyName('api_tokens_user_id_foreign'),
    name: p.string().length(100),
    scope: p.string().$type<Scope>().length(10),
    expiresAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export class ApiToken extends ApiTokenSchema.class {}
ApiTokenSchema.setClass(ApiToken);
