import { Controller, Delete, Get, HttpCode, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminOnly, CurrentViewer, SuperAdminOnly } from '../../../platform/http/access.decorator.js';
import { ApiAdminList, sendAdminPage } from '../../../platform/http/admin-list.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/viewer.js';
import { ZoneRemovalService } from '../../zones/zone-removal.service.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { actorOf } from '../actor.js';
import { AdminZoneDto } from '../dto/admin-lists.dto.js';
import { AdminZoneQueryDto } from '../dto/list-query.dto.js';
import { ApiCsv, ApiTotal, ExportService } from '../export.service.js';
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
  @ApiAdminList()
  @ApiOperation({ summary: 'Zones of everybody' })
  @ApiOkResponse({ type: [AdminZoneDto], headers: ApiTotal })
  async list(
    @Query() query: AdminZoneQueryDto,
    @CurrentViewer() viewer: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AdminZoneDto[]> {
    return sendAdminPage(response, await this.zones.page(query, viewer));
  }

  @Get('export')
  @AdminOnly()
  @ApiOperation({ summary: 'Zones of everybody as a CSV file, by the same filters' })
  @ApiCsv()
  export(
    @Query() query: AdminZoneQueryDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<StreamableFile> {
    return this.exports.start('zones', actorOf(viewer, request), this.zones.all(query, viewer), {
      id: ({ id }) => id,
      name: ({ name }) => name,
      description: ({ description }) => description,
      type: ({ type }) => type,
      ownerEmail: ({ ownerEmail }) => ownerEmail,
      files: ({ fileCount }) => fileCount,
      members: ({ memberCount }) => memberCount,
      bytes: ({ totalBytes }) => totalBytes,
      createdAt: ({ createdAt }) => createdAt,
    });
  }

  @Delete(':id')
  @SuperAdminOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a zone of anybody for good, as its owner would' })
  @ApiNoContentResponse()
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND)
  async delete(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    if (!(await this.zones.exists(id))) throw zoneErrors.ZONE_NOT_FOUND();
    await this.removal.delete(id, actorOf(viewer, request));
  }
}
