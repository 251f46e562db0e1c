import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { File } from './file.entity.js';

/** Where a user stopped reading a file: a page of a document, or a second of audio or video. */
export const ReadingPositionSchema = defineEntity({
  name: 'ReadingPosition',
  tableName: 'reading_positions',
  indexes: [{ name: 'reading_positions_file_id_index', properties: ['fileId'] }],
  checks: [
    { name: 'reading_positions_unit_check', expression: '(page is null) <> (seconds is null)' },
    { name: 'reading_positions_page_check', expression: 'page >= 1' },
    { name: 'reading_positions_seconds_check', expression: 'seconds >= 0' },
  ],
  properties: {
    userId: () => belongsTo(User, 'reading_positions', 'user_id').primary().updateRule('no action'),
    fileId: () => belongsTo(File, 'reading_positions', 'file_id').primary().updateRule('no action'),
    /** Starts at 1. A replaced file may have fewer pages. */
    page: p.integer().nullable(),
    /** The part of the page above the position, from 0 to 1; 0 for audio and video. */
    fraction: p.double(),
    seconds: p.integer().nullable(),
    updatedAt: p.datetime(),
  },
});
export class ReadingPosition extends ReadingPositionSchema.class {}
ReadingPositionSchema.setClass(ReadingPosition);
