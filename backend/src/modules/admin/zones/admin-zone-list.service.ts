import { Injectable } from '@nestjs/common';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { getZoneAbilities } from '../admin.policy.js';
import type { AdminZoneDto } from '../dto/admin-lists.dto.js';
import type { AdminZoneQueryDto } from '../dto/list-query.dto.js';
import { AdminZoneRepository, type AdminZoneRow, type ZoneFilters } from './admin-zone.repository.js';

/** Everyone's zones with what the viewer may do with each. */
@Injectable()
export class AdminZoneListService {
  constructor(private readonly zones: AdminZoneRepository) {}

  /** Returns one page; `q` matches the zone's name and its owner. */
  async listPage(dto: AdminZoneQueryDto, viewer: Viewer): Promise<AdminPage<AdminZoneDto>> {
    const { rows, total } = await this.zones.findPage(dto);
    return { rows: rows.map((row) => toDto(row, viewer)), total };
  }

  /** Streams all matching zones, newest first. */
  async *streamAll(filters: ZoneFilters, viewer: Viewer): AsyncGenerator<AdminZoneDto> {
    for await (const row of this.zones.streamAll(filters)) yield toDto(row, viewer);
  }
}

const toDto = (row: AdminZoneRow, viewer: Viewer): AdminZoneDto => ({
  ...row,
  isPublic: row.type === 'public',
  can: getZoneAbilities(viewer),
});
