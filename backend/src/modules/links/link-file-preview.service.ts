import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import type { FirstFileDto } from './dto/join.dto.js';

/** How many names a link shows. */
const MAX_SHOWN = 6;

/** What a link may show of a zone, and of whose files. */
interface PreviewOptions {
  readonly zoneId: number;
  /** The owner lets links name files. */
  readonly showFiles: boolean;
  readonly fileCount: number;
}

/** The first names in a zone, for whoever holds a link to it. */
@Injectable()
export class LinkFilePreviewService {
  constructor(private readonly em: EntityManager) {}

  /**
   * Files of the zone's top by name; of a zone that has only folders there, their names. Mirrors are left out: their
   * source may show nothing to strangers.
   */
  async getPreview({
    zoneId,
    showFiles,
    fileCount,
  }: PreviewOptions): Promise<{ firstFiles: FirstFileDto[]; moreFiles: number }> {
    if (!showFiles) return { firstFiles: [], moreFiles: 0 };
    const { rows } = await sql<FirstFileDto>`
      with first as (
        select original_name as name, mime_type as "mimeType" from files
        where zone_id = ${zoneId} and folder_id is null and trashed_at is null
        order by original_name, id limit ${MAX_SHOWN}
      )
      select name, "mimeType" from first
      union all
      (select f.name, null from folders f
        where f.zone_id = ${zoneId} and f.parent_id is null and f.trashed_at is null and not exists (select from first)
          and not exists (select from folder_mirrors m where m.target_folder_id = f.id)
        order by f.name, f.id limit ${MAX_SHOWN})`.execute(query(this.em));
    const files = rows.filter(({ mimeType }) => mimeType !== null).length;
    return { firstFiles: rows, moreFiles: Math.max(0, fileCount - files) };
  }
}
