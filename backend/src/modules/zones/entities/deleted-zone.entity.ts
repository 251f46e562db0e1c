import { defineEntity, p } from '@mikro-orm/core';
import { refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';

/** Id and name of a deleted zone, for rows that outlive it: consents, unsubscribes, leave records and reports. */
export const DeletedZoneSchema = defineEntity({
  name: 'DeletedZone',
  tableName: 'deleted_zones',
  indexes: [
    { name: 'deleted_zones_owner_id_index', properties: ['ownerId'] },
    { name: 'deleted_zones_deleted_at_index', properties: ['deletedAt'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    name: p.string().length(255),
    /** Null once the owner's account is deleted. */
    ownerId: () => refersTo(User, 'deleted_zones', 'owner_id'),
    deletedAt: p.datetime(),
  },
});
export class DeletedZone extends DeletedZoneSchema.class {}
DeletedZoneSchema.setClass(DeletedZone);
