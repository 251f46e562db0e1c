import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { Folder } from './folder.entity.js';

/**
 * Deletes the mount folder whenever its mirror row is deleted (for example when the source is purged or a zone is
 * deleted). Otherwise an empty folder would remain.
 */
const deleteMountSql = 'delete from folders where id = old.target_folder_id; return old;';

/** A mount: a folder at the root of the target zone that shows the tree of a source folder in another zone. */
export const FolderMirrorSchema = defineEntity({
  name: 'FolderMirror',
  tableName: 'folder_mirrors',
  uniques: [
    { name: 'folder_mirrors_source_folder_id_target_zone_id_unique', properties: ['sourceFolderId', 'targetZoneId'] },
    { name: 'folder_mirrors_target_folder_id_unique', properties: ['targetFolderId'] },
  ],
  indexes: [
    { name: 'folder_mirrors_source_zone_id_index', properties: ['sourceZoneId'] },
    { name: 'folder_mirrors_target_zone_id_index', properties: ['targetZoneId'] },
    { name: 'folder_mirrors_created_by_id_index', properties: ['createdById'] },
  ],
  checks: [{ name: 'folder_mirrors_zones_check', expression: 'source_zone_id <> target_zone_id' }],
  triggers: [{ name: 'take_mount', timing: 'after', events: ['delete'], forEach: 'row', body: deleteMountSql }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    sourceFolderId: () => p.manyToOne(Folder).mapToPk().fieldName('source_folder_id').deleteRule('cascade'),
    sourceZoneId: () => p.manyToOne(Zone).mapToPk().fieldName('source_zone_id').deleteRule('cascade'),
    targetZoneId: () => p.manyToOne(Zone).mapToPk().fieldName('target_zone_id').deleteRule('cascade'),
    targetFolderId: () => p.manyToOne(Folder).mapToPk().fieldName('target_folder_id').deleteRule('cascade'),
    mirrorType: p.string().$type<'one_way'>().length(20).default('one_way'),
    isActive: p.boolean().default(true),
    createdById: () => p.manyToOne(User).mapToPk().nullable().fieldName('created_by_id').deleteRule('set null'),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class FolderMirror extends FolderMirrorSchema.class {}
FolderMirrorSchema.setClass(FolderMirror);
