import { defineEntity, p } from '@mikro-orm/core';
import type { Language } from '../../../platform/errors/app-error.js';

/**
 * The deletion of an account that is under way: what is needed to finish it and to tell the person, and gone when that
 * is done. No foreign key: the person's row goes first.
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
