import { Controller, Delete, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AdminOnly,
  RequireReauthentication,
  CurrentViewer,
  SuperAdminOnly,
} from '../../../platform/http/access.decorator.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { ApiAdminPaginated, ApiCsv, ApiNoContent } from '../../../platform/http/api-response.decorator.js';
import { fieldColumns } from '../../../platform/http/lists/csv-file.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { ZoneDeletionService } from '../../zones/zone/zone-deletion.service.js';
import { DeleteZoneQueryDto } from '../../zones/dto/zone.dto.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { CurrentActor, type Actor } from '../actor.js';
import { AdminZoneDto } from '../dto/admin-lists.dto.js';
import { AdminZoneQueryDto } from '../dto/list-query.dto.js';
import { ListExportService } from '../list-export.service.js';
import { AdminZoneListService } from './admin-zone-list.service.js';
import { AdminZoneRepository } from './admin-zone.repository.js';

@ApiTags('admin')
@Controller('api/admin/zones')
export class AdminZonesController {
  constructor(
    private readonly zones: AdminZoneListService,
    private readonly zoneRepository: AdminZoneRepository,
    private readonly removal: ZoneDeletionService,
    private readonly exports: ListExportService,
  ) {}

  @Get()
  @AdminOnly()
  @ApiAdminPaginated('List all zones', AdminZoneDto)
  list(@Query() query: AdminZoneQueryDto, @CurrentViewer() viewer: Viewer): Promise<AdminPage<AdminZoneDto>> {
    return this.zones.listPage(query, viewer);
  }

  @Get('export')
  @AdminOnly()
  @RequireReauthentication()
  @ApiCsv('Export all zones as a CSV file, with the same filters', commonErrors.VALIDATION_FAILED)
  export(
    @Query() query: AdminZoneQueryDto,
    @CurrentViewer() viewer: Viewer,
    @CurrentActor() actor: Actor,
  ): Promise<StreamableFile> {
    return this.exports.exportList('zones', actor, this.zones.streamAll(query, viewer), {
      ...fieldColumns('id', 'name', 'description', 'type', 'ownerEmail'),
      files: ({ fileCount }) => fileCount,
      members: ({ memberCount }) => memberCount,
      bytes: ({ totalBytes }) => totalBytes,
      createdAt: ({ createdAt }) => createdAt,
    });
  }

  @Delete(':id')
  @SuperAdminOnly()
  @RequireReauthentication()
  @ApiNoContent('Permanently delete any zone')
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, zoneErrors.ZONE_IN_USE)
  async delete(
    @IdParam() id: number,
    @Query() { evenIfUsed }: DeleteZoneQueryDto,
    @CurrentActor() actor: Actor,
  ): Promise<void> {
    if (!(await this.zoneRepository.exists(id))) throw zoneErrors.ZONE_NOT_FOUND();
    await this.removal.deleteZone(id, { ...actor, isConfirmed: evenIfUsed === 'true' });
  }
}
