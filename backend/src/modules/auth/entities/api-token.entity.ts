import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import type { Scope } from '../../../platform/http/parsing/viewer.js';
import { User } from './user.entity.js';

/** A key with which programs act for a user. `digest` is its SHA-256. */
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
    userId: () => belongsTo(User, 'api_tokens', 'user_id'),
    name: p.string().length(100),
    scope: p.string().$type<Scope>().length(10),
    expiresAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export class ApiToken extends ApiTokenSchema.class {}
ApiTokenSchema.setClass(ApiToken);

/** A network from which an API token was used. Its owner is notified of the first use from each network. */
export const ApiTokenNetworkSchema = defineEntity({
  name: 'ApiTokenNetwork',
  tableName: 'api_token_networks',
  properties: {
    tokenId: () => belongsTo(ApiToken, 'api_token_networks', 'token_id').primary(),
    network: p.string().length(64).primary(),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
  },
});
export class ApiTokenNetwork extends ApiTokenNetworkSchema.class {}
ApiTokenNetworkSchema.setClass(ApiTokenNetwork);
