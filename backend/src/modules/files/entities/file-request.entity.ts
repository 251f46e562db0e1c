import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo, refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { File } from './file.entity.js';
import { Folder } from './folder.entity.js';

/** A folder that receives files from members and guests, who can do nothing else in it. */
export const FileRequestSchema = defineEntity({
  name: 'FileRequest',
  tableName: 'file_requests',
  indexes: [{ name: 'file_requests_created_by_id_index', properties: ['createdById'] }],
  checks: [
    {
      name: 'file_requests_limits_check',
      expression:
        '(max_files_per_person is null or max_files_per_person >= 1) and (max_file_bytes is null or max_file_bytes >= 1)',
    },
  ],
  properties: {
    folderId: () => belongsTo(Folder, 'file_requests', 'folder_id').primary().updateRule('no action'),
    /** Whether people see only their own files of those that are sent from now on. */
    isPrivate: p.boolean(),
    instructions: p.string().length(2000).nullable(),
    /** Null: no deadline. */
    closesAt: p.datetime().nullable(),
    maxFilesPerPerson: p.integer().nullable(),
    /** Maximum size of one file, in bytes. */
    maxFileBytes: p.bigint('number').nullable(),
    createdById: () => refersTo(User, 'file_requests', 'created_by_id'),
    createdAt: p.datetime(),
  },
});
export class FileRequest extends FileRequestSchema.class {}
FileRequestSchema.setClass(FileRequest);

/**
 * A file that was sent for a file request. It stays private to its sender as it was promised when it was sent, even
 * after the request has changed or ended, until a manager moves the file to another folder.
 */
export const FileSubmissionSchema = defineEntity({
  name: 'FileSubmission',
  tableName: 'file_submissions',
  indexes: [
    { name: 'file_submissions_folder_id_user_id_index', properties: ['folderId', 'userId'] },
    { name: 'file_submissions_folder_id_guest_key_index', properties: ['folderId', 'guestKey'] },
    { name: 'file_submissions_user_id_index', properties: ['userId'] },
    { name: 'file_submissions_guest_email_index', properties: ['guestEmail'] },
    { name: 'file_submissions_root_zone_id_index', properties: ['rootZoneId'] },
  ],
  checks: [
    {
      name: 'file_submissions_sender_check',
      expression: '(user_id is null or guest_key is null) and (guest_email is null or guest_key is not null)',
    },
  ],
  properties: {
    fileId: () => belongsTo(File, 'file_submissions', 'file_id').primary().updateRule('no action'),
    /** The folder of the request, also after the file has been moved. Null if it was deleted. */
    folderId: () => refersTo(Folder, 'file_submissions', 'folder_id'),
    /** Null for guests, and if the account was deleted. */
    userId: () => refersTo(User, 'file_submissions', 'user_id'),
    /** The key of the guest (`item_guests.key`), also after the guest was deleted. Null for members. */
    guestKey: p.uuid().nullable(),
    /** The address that the guest stated, not verified. Null for members, and if the person had it deleted. */
    guestEmail: p.string().length(255).nullable(),
    isPrivate: p.boolean(),
    /** The zone at whose root the file was restored, or will be, because the folder was gone. It stays private there. */
    rootZoneId: () => refersTo(Zone, 'file_submissions', 'root_zone_id'),
  },
});
export class FileSubmission extends FileSubmissionSchema.class {}
FileSubmissionSchema.setClass(FileSubmission);
