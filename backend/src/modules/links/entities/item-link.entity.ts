import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo, refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { FileRequest } from '../../files/entities/file-request.entity.js';
import { File } from '../../files/entities/file.entity.js';
import { Folder } from '../../files/entities/folder.entity.js';

/**
 * A link by which people outside of a zone read one of its files, or a folder with everything below it. It has no zone of
 * its own, so that it follows an item that moves to another zone.
 */
export const ItemLinkSchema = defineEntity({
  name: 'ItemLink',
  tableName: 'item_links',
  indexes: [
    { name: 'item_links_file_id_id_index', properties: ['fileId', 'id'] },
    { name: 'item_links_folder_id_id_index', properties: ['folderId', 'id'] },
    { name: 'item_links_request_folder_id_index', properties: ['requestFolderId'] },
    { name: 'item_links_created_by_id_index', properties: ['createdById'] },
  ],
  checks: [
    { name: 'item_links_item_check', expression: '(file_id is null) <> (folder_id is null)' },
    {
      name: 'item_links_request_check',
      expression: 'request_folder_id is null or (request_folder_id = folder_id and needs_email)',
    },
    {
      name: 'item_links_uses_check',
      expression: 'current_uses >= 0 and (max_uses is null or (max_uses >= 1 and current_uses <= max_uses))',
    },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** Null for a link to a folder. */
    fileId: () => belongsTo(File, 'item_links', 'file_id').nullable(),
    /** Null for a link to a file. */
    folderId: () => belongsTo(Folder, 'item_links', 'folder_id').nullable(),
    /** For the owner; guests don't see it. */
    name: p.string().length(255),
    /** Stored in plain text, because owners copy it repeatedly. */
    token: p.string().length(64).unique('item_links_token_unique'),
    /** Null means never. */
    expiresAt: p.datetime().nullable(),
    /** Null means unlimited. */
    maxUses: p.integer().nullable(),
    /** Guests who entered; only changed by a conditional update. */
    currentUses: p.integer().default(0),
    /** False while paused. */
    isActive: p.boolean().default(true),
    /** Argon2id digest of the password that guests must enter, if any. */
    password: p.string().length(255).nullable(),
    /** When wrong passwords were last above the limit of the link; null if never since the password was set. */
    passwordAttackedAt: p.datetime().nullable(),
    /** True if guests must state an email address. */
    needsEmail: p.boolean().default(false),
    /** False if guests get no original bytes, whatever the files allow. */
    allowDownload: p.boolean().default(true),
    /** The folder, if guests may send files for its file request. The link stops that with the request. */
    requestFolderId: () => refersTo(FileRequest, 'item_links', 'request_folder_id').updateRule('no action'),
    /** What guests did whose rows retention has removed, and when the last of them was there. */
    removedGuestViews: p.integer().default(0),
    removedGuestDownloads: p.integer().default(0),
    removedGuestVisitAt: p.datetime().nullable(),
    createdById: () => refersTo(User, 'item_links', 'created_by_id'),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class ItemLink extends ItemLinkSchema.class {}
ItemLinkSchema.setClass(ItemLink);
