import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';

/** Who opened a file, when and how often, for its owner. Deleted together with the user or the file. */
export const FileOpeningSchema = defineEntity({
  name: 'FileOpening',
  tableName: 'file_openings',
  indexes: [
    { name: 'file_openings_file_id_last_at_index', properties: ['fileId', 'lastAt', 'userId'] },
    { name: 'file_openings_user_id_index', properties: ['userId'] },
  ],
  properties: {
    fileId: p.bigint('number').primary().autoincrement(false),
    userId: () => belongsTo(User, 'file_openings', 'user_id').primary().updateRule('no action'),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
    views: p.integer().default(0),
    downloads: p.integer().default(0),
  },
});
export class FileOpening extends FileOpeningSchema.class {}
FileOpeningSchema.setClass(FileOpening);
