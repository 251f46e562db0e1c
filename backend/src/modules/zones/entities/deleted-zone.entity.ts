import { defineEntity, p } from '@mikro-orm/core';
import { refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';

/** A zone that is gone, with its id and its name: for consents and their ends, records of leaving and reports, which stay. */
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
    /** null once the owner's account is gone. */
    ownerId: () => refersTo(User, 'deleted_zones', 'owner_id'),
    deletedAt: p.datetime(),
  },
});
export class DeletedZone extends DeletedZoneSchema.class {}
DeletedZoneSchema.setClass(DeletedZone);
