import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { File } from './file.entity.js';
import { Folder } from './folder.entity.js';
import { Upload } from './upload.entity.js';

/**
 * An upload that can be resumed, while it is under way (`uploadId` names its reservation) and for a while after it has
 * become a file (`fileId`), so that a client whose last answer was lost still learns of it. All bytes have been
 * received if and only if there is a file.
 */
export const ResumableUploadSchema = defineEntity({
  name: 'ResumableUpload',
  tableName: 'resumable_uploads',
  indexes: [
    { name: 'resumable_uploads_user_id_created_at_id_index', properties: ['userId', 'createdAt', 'id'] },
    { name: 'resumable_uploads_zone_id_index', properties: ['zoneId'] },
    { name: 'resumable_uploads_folder_id_index', properties: ['folderId'] },
    { name: 'resumable_uploads_file_id_index', properties: ['fileId'] },
    { name: 'resumable_uploads_expires_at_index', properties: ['expiresAt'] },
  ],
  checks: [{ name: 'resumable_uploads_received_check', expression: 'received >= 0 and received <= length' }],
  properties: {
    /** Random; with the session it is all that an upload is addressed by. */
    id: p.uuid().primary(),
    /** null once it is a file. */
    uploadId: () =>
      p
        .manyToOne(Upload)
        .mapToPk()
        .nullable()
        .fieldName('upload_id')
        .unique('resumable_uploads_upload_id_unique')
        .deleteRule('cascade')
        .foreignKeyName('resumable_uploads_upload_id_foreign'),
    /** Who uploads; nobody else sees it. */
    userId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .fieldName('user_id')
        .deleteRule('cascade')
        .foreignKeyName('resumable_uploads_user_id_foreign'),
    zoneId: () =>
      p
        .manyToOne(Zone)
        .mapToPk()
        .fieldName('zone_id')
        .deleteRule('cascade')
        .foreignKeyName('resumable_uploads_zone_id_foreign'),
    folderId: () =>
      p
        .manyToOne(Folder)
        .mapToPk()
        .nullable()
        .fieldName('folder_id')
        .deleteRule('cascade')
        .foreignKeyName('resumable_uploads_folder_id_foreign'),
    name: p.string().length(255),
    /** Takes a number when its name is taken; otherwise a clash refuses it. */
    rename: p.boolean(),
    /** Bytes, as announced. */
    length: p.bigint('number'),
    /** Bytes that are stored. */
    received: p.bigint('number').default(0),
    fileId: () =>
      p
        .manyToOne(File)
        .mapToPk()
        .nullable()
        .fieldName('file_id')
        .deleteRule('cascade')
        .foreignKeyName('resumable_uploads_file_id_foreign'),
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
  },
});
export class ResumableUpload extends ResumableUploadSchema.class {}
ResumableUploadSchema.setClass(ResumableUpload);
