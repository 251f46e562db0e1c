import { defineEntity, p } from '@mikro-orm/core';
import type { Language } from '../../../platform/errors/app-error.js';

/**
 * An account deletion in progress: what is needed to finish it and to notify the user; deleted afterwards. No foreign
 * key, because the user's row is deleted first.
 */
export const ErasureSchema = defineEntity({
  name: 'Erasure',
  tableName: 'erasures',
  indexes: [{ name: 'erasures_requested_at_index', properties: ['requestedAt'] }],
  properties: {
    userId: p.bigint('number').primary().autoincrement(false),
    email: p.string().length(255),
    language: p.string().$type<Language>().length(5),
    requestedAt: p.datetime(),
  },
});
export class Erasure extends ErasureSchema.class {}
ErasureSchema.setClass(Erasure);
