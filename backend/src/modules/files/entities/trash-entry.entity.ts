import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { File } from './file.entity.js';
import { Folder } from './folder.entity.js';

/**
 * An item in the trash as it was deleted: a file, or a folder with its contents. Deleting several items at once creates
 * several rows with the same `trashId`, which also marks the rows of everything below them.
 */
export const TrashEntrySchema = defineEntity({
  name: 'TrashEntry',
  tableName: 'trash_entries',
  indexes: [
    { name: 'trash_entries_zone_id_id_index', properties: ['zoneId', 'id'] },
    { name: 'trash_entries_trash_id_index', properties: ['trashId'] },
    { name: 'trash_entries_deleted_at_index', properties: ['deletedAt'] },
    { name: 'trash_entries_deleted_by_id_index', properties: ['deletedById'] },
  ],
  checks: [{ name: 'trash_entries_kind_check', expression: '(file_id is null) <> (folder_id is null)' }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    zoneId: () => p.manyToOne(Zone).mapToPk().fieldName('zone_id').deleteRule('cascade'),
    trashId: p.uuid(),
    fileId: () =>
      p
        .manyToOne(File)
        .mapToPk()
        .nullable()
        .fieldName('file_id')
        .unique('trash_entries_file_id_unique')
        .deleteRule('cascade'),
    folderId: () =>
      p
        .manyToOne(Folder)
        .mapToPk()
        .nullable()
        .fieldName('folder_id')
        .unique('trash_entries_folder_id_unique')
        .deleteRule('cascade'),
    /** Number of files and bytes in this entry. Items that were already in the trash have entries of their own. */
    files: p.integer(),
    bytes: p.bigint('number'),
    /** Null if the account no longer exists. */
    deletedById: () => p.manyToOne(User).mapToPk().nullable().fieldName('deleted_by_id').deleteRule('set null'),
    deletedAt: p.datetime(),
    /** Set once the entry is marked for permanent deletion. From then on it is hidden and can't be restored. */
    purgingAt: p.datetime().nullable(),
  },
});
export class TrashEntry extends TrashEntrySchema.class {}
TrashEntrySchema.setClass(TrashEntry);
