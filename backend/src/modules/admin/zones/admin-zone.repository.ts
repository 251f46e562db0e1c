import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { searchPattern, type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage, streamNewestFirst } from '../../../platform/http/lists/admin-page.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { ZoneStatsSchema } from '../../zones/entities/zone-stats.entity.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { AdminZoneDto } from '../dto/admin-lists.dto.js';
import type { AdminZoneQueryDto } from '../dto/list-query.dto.js';
import { matchingUserIds } from '../user-search.sql.js';

type Tables = typeof ZoneSchema | typeof ZoneStatsSchema | typeof UserSchema;

export type ZoneFilters = Pick<AdminZoneQueryDto, 'q' | 'type' | 'ownerId'>;
export type AdminZoneRow = Omit<AdminZoneDto, 'isPublic' | 'can'>;

const zoneSorting = {
  fields: { createdAt: 'z.id', name: sql`z.name collate "tr_numeric"`, ownerEmail: 'u.email' },
  id: 'z.id',
};
const countSorting = {
  fields: { fileCount: 's.files', memberCount: 's.members', totalBytes: 's.bytes' },
  id: 's.zone_id',
};

/** Read access to everyone's zones: names, owners and counts, but none of their content. */
@Injectable()
export class AdminZoneRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns one page; `q` matches the zone's name and its owner. */
  findPage(dto: AdminZoneQueryDto): Promise<AdminPage<AdminZoneRow>> {
    const isCount = Object.hasOwn(countSorting.fields, dto.sort ?? '');
    const sortable = isCount ? this.selectSortableCounts(dto) : this.selectSortableZones(dto);
    const listing = { filtered: this.filterZones(dto), rows: this.selectRows({}), toRow };
    return loadAdminPage(dto, isCount ? countSorting : zoneSorting, {
      ...listing,
      sortable: sortable as typeof listing.filtered,
    });
  }

  /** Streams all matching zones, newest first. */
  streamAll(filters: ZoneFilters): AsyncGenerator<AdminZoneRow> {
    return streamNewestFirst(this.selectRows(filters), 'z.id', toRow);
  }

  async exists(id: number): Promise<boolean> {
    const row = await this.filterZones({}).select('z.id').where('z.id', '=', id).executeTakeFirst();
    return row !== undefined;
  }

  private selectRows(filters: ZoneFilters) {
    return this.filterZones(filters)
      .innerJoin('users as u', 'u.id', 'z.owner_id')
      .innerJoin('zone_stats as s', 's.zone_id', 'z.id')
      .select(['z.id as id', 'z.name as name', 'z.description as description', 'z.type as type'])
      .select(['s.files as fileCount', 's.members as memberCount', 's.bytes as totalBytes'])
      .select(['z.owner_id as ownerId', 'u.email as ownerEmail', 'z.created_at as createdAt']);
  }

  /** Joins the owner only if the sort order needs it. */
  private selectSortableZones(dto: AdminZoneQueryDto) {
    const zones = this.filterZones(dto);
    return dto.sort === 'ownerEmail' ? zones.innerJoin('users as u', 'u.id', 'z.owner_id') : zones;
  }

  /**
   * Counts have no index: it would cost every join and upload more than sorting for administrators is worth (ADR 0002).
   * So only their narrow table is read; of all zones, only the few being deleted are looked up.
   */
  private selectSortableCounts(filters: ZoneFilters): unknown {
    const counts = query<Tables>(this.em).selectFrom('zone_stats as s');
    if (filters.type || filters.ownerId || filters.q?.trim()) {
      return counts.where('s.zone_id', 'in', this.filterZones(filters).select('z.id'));
    }
    return counts.where(
      sql<boolean>`not exists (select from zones z where z.id = s.zone_id and z.deleted_at is not null)`,
    );
  }

  private filterZones({ q, type, ownerId }: ZoneFilters) {
    let rows = query<Tables>(this.em).selectFrom('zones as z').where('z.deleted_at', 'is', null);
    if (type) rows = rows.where('z.type', '=', type);
    if (ownerId) rows = rows.where('z.owner_id', '=', ownerId);
    if (!q?.trim()) return rows;
    const pattern = searchPattern(q);
    // A union, because there is one index per table; an `or` would read every zone.
    return rows.where(
      sql<boolean>`z.id in (
        select named.id from zones named where search_fold(named.name) like ${pattern}
        union select owned.id from zones owned where owned.owner_id in ${matchingUserIds(q)})`,
    );
  }
}

const toRow = (row: AdminZoneRow): AdminZoneRow => ({ ...row, totalBytes: Number(row.totalBytes) });
