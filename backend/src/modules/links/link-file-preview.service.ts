import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import type { FirstFileDto } from './dto/join.dto.js';

/** Number of names that a link shows. */
const MAX_SHOWN = 6;

interface PreviewOptions {
  readonly zoneId: number;
  /** True if the owner allows links to show file names. */
  readonly showFiles: boolean;
  readonly fileCount: number;
}

/** Provides the first file names of a zone for people with a link. */
@Injectable()
export class LinkFilePreviewService {
  constructor(private readonly em: EntityManager) {}

  /**
   * Returns files at the zone's root by name, or folders if there are no files. Mirrors are left out, because their
   * source zone may not allow showing names.
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
