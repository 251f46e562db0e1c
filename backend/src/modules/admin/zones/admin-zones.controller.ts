import { Controller, Delete, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly, Confirmed, CurrentViewer, SuperAdminOnly } from '../../../platform/http/access.decorator.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { AnswersAdminPage, AnswersCsv, AnswersNothing } from '../../../platform/http/answers.decorator.js';
import { plainColumns } from '../../../platform/http/lists/csv-file.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/reading/id.pipe.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { ZoneRemovalService } from '../../zones/zone/zone-removal.service.js';
import { DeleteZoneQueryDto } from '../../zones/dto/zone.dto.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { CurrentActor, type Actor } from '../actor.js';
import { AdminZoneDto } from '../dto/admin-lists.dto.js';
import { AdminZoneQueryDto } from '../dto/list-query.dto.js';
import { ExportService } from '../export.service.js';
import { AdminZoneListService } from './admin-zone-list.service.js';

@ApiTags('admin')
@Controller('api/admin/zones')
export class AdminZonesController {
  constructor(
    private readonly zones: AdminZoneListService,
    private readonly removal: ZoneRemovalService,
    private readonly exports: ExportService,
  ) {}

  @Get()
  @AdminOnly()
  @AnswersAdminPage('List all zones', AdminZoneDto)
  list(@Query() query: AdminZoneQueryDto, @CurrentViewer() viewer: Viewer): Promise<AdminPage<AdminZoneDto>> {
    return this.zones.page(query, viewer);
  }

  @Get('export')
  @AdminOnly()
  @Confirmed()
  @AnswersCsv('Export all zones as a CSV file, with the same filters', commonErrors.VALIDATION_FAILED)
  export(
    @Query() query: AdminZoneQueryDto,
    @CurrentViewer() viewer: Viewer,
    @CurrentActor() by: Actor,
  ): Promise<StreamableFile> {
    return this.exports.start('zones', by, this.zones.all(query, viewer), {
      ...plainColumns('id', 'name', 'description', 'type', 'ownerEmail'),
      files: ({ fileCount }) => fileCount,
      members: ({ memberCount }) => memberCount,
      bytes: ({ totalBytes }) => totalBytes,
      createdAt: ({ createdAt }) => createdAt,
    });
  }

  @Delete(':id')
  @SuperAdminOnly()
  @Confirmed()
  @AnswersNothing('Permanently delete any zone')
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, zoneErrors.ZONE_IN_USE)
  async delete(
    @IdParam() id: number,
    @Query() { evenIfUsed }: DeleteZoneQueryDto,
    @CurrentActor() by: Actor,
  ): Promise<void> {
    if (!(await this.zones.exists(id))) throw zoneErrors.ZONE_NOT_FOUND();
    await this.removal.delete(id, { ...by, isWarned: evenIfUsed === 'true' });
  }
}
