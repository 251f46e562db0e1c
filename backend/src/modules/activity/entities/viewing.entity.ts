import { defineEntity, p } from '@mikro-orm/core';

/** How a file was opened: viewed in the page, or downloaded. */
export type ViewingKind = 'view' | 'download';

/**
 * One viewing: a file, a viewer and a window of 30 minutes. The unique key makes all range requests of a viewing count
 * once. The rows are useless once their window has passed.
 */
export const ViewingSchema = defineEntity({
  name: 'Viewing',
  tableName: 'viewings',
  uniques: [
    {
      name: 'viewings_file_id_viewer_key_kind_window_start_unique',
      properties: ['fileId', 'viewerKey', 'kind', 'windowStart'],
    },
  ],
  indexes: [{ name: 'viewings_window_start_index', properties: ['windowStart'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    fileId: p.bigint('number'),
    viewerKey: p.string().length(80),
    kind: p.string().$type<ViewingKind>().length(10),
    windowStart: p.datetime(),
  },
});
export class Viewing extends ViewingSchema.class {}
ViewingSchema.setClass(Viewing);
