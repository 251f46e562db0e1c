import { defineEntity, p } from '@mikro-orm/core';

/** How a file was opened: shown in the page, or fetched to be kept. */
export type ViewingKind = 'view' | 'download';

/**
 * One viewing: a file, a viewer and a window of 30 minutes. The unique key is what makes the ranges of one viewing
 * count once; the rows are of no use once their window has passed.
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
