import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';

/** A folder of a zone; `parentId` null is the zone's root. Names are sorted by the Turkish rules, numbers by value. */
export const FolderSchema = defineEntity({
  name: 'Folder',
  tableName: 'folders',
  indexes: [
    {
      // Holds the ids as well, so that the names of a whole zone are searched from the index alone.
      name: 'folders_zone_id_parent_id_name_key_unique',
      expression:
        'create unique index "folders_zone_id_parent_id_name_key_unique" on "folders" ("zone_id", coalesce("parent_id", 0), "name_key") include ("id", "parent_id", "search_key") where "trashed_at" is null',
    },
    {
      name: 'folders_search_key_trigram_index',
      expression:
        'create index "folders_search_key_trigram_index" on "folders" using gin ("search_key" gin_trgm_ops) where "trashed_at" is null',
    },
    {
      name: 'folders_zone_id_parent_id_name_index',
      expression:
        'create index "folders_zone_id_parent_id_name_index" on "folders" ("zone_id", coalesce("parent_id", 0), "name", "id") where "trashed_at" is null',
    },
    { name: 'folders_parent_id_index', properties: ['parentId'] },
    { name: 'folders_zone_id_index', properties: ['zoneId'] },
    { name: 'folders_created_by_id_index', properties: ['createdById'] },
    { name: 'folders_trash_id_index', properties: ['trashId'], where: 'trash_id is not null' },
  ],
  checks: [{ name: 'folders_trash_check', expression: '(trashed_at is null) = (trash_id is null)' }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    name: p.string().length(255).collation('tr_numeric'),
    /** The name as it is compared (`normaliseForComparison`): unique among siblings outside the trash. */
    nameKey: p.text(),
    /** What folders are found by: the name without accents, as much of it as fits an index beside the name. */
    searchKey: p.text().nullable().generated('("left"(search_fold(name_key), 300)) stored'),
    zoneId: () => p.manyToOne(Zone).mapToPk().fieldName('zone_id').deleteRule('cascade'),
    parentId: () => p.manyToOne(Folder).mapToPk().nullable().fieldName('parent_id').deleteRule('cascade'),
    createdById: () => p.manyToOne(User).mapToPk().nullable().fieldName('created_by_id').deleteRule('set null'),
    trashedAt: p.datetime().nullable(),
    /** The same for everything that one deletion put into the trash. */
    trashId: p.uuid().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class Folder extends FolderSchema.class {}
FolderSchema.setClass(Folder);
