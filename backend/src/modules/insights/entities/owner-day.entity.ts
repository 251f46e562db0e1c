import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';

/**
 * What happened in all zones of an owner on a day (UTC), those deleted since included. Only days on which something
 * changed have a row; what the owner had at the end of a day stays as it was on the days between.
 */
export const OwnerDaySchema = defineEntity({
  name: 'OwnerDay',
  tableName: 'owner_day',
  indexes: [
    { name: 'owner_day_day_index', properties: ['day'] },
    {
      /** What an owner had last, without going through all days. */
      name: 'owner_day_stocks_index',
      expression: `create index "owner_day_stocks_index" on "owner_day" ("owner_id", "day") include ("zones", "files", "members", "bytes") where zones is not null`,
    },
  ],
  properties: {
    ownerId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .primary()
        .fieldName('owner_id')
        .updateRule('no action')
        .deleteRule('cascade')
        .foreignKeyName('owner_day_owner_id_foreign'),
    day: p.date().primary(),
    views: p.integer().default(0),
    downloads: p.integer().default(0),
    joins: p.integer().default(0),
    leaves: p.integer().default(0),
    zones: p.integer().nullable(),
    files: p.integer().nullable(),
    members: p.integer().nullable(),
    bytes: p.bigint('number').nullable(),
  },
});
export class OwnerDay extends OwnerDaySchema.class {}
OwnerDaySchema.setClass(OwnerDay);
