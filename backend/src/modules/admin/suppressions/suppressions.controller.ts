import { Controller, Delete, Get, HttpCode, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminOnly, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiAdminList, sendAdminPage } from '../../../platform/http/admin-list.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/viewer.js';
import { actorOf } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { SuppressionDto } from '../dto/admin-lists.dto.js';
import { SuppressionQueryDto } from '../dto/list-query.dto.js';
import { ApiCsv, ApiTotal, ExportService } from '../export.service.js';
import { SuppressionListService } from './suppression-list.service.js';

@ApiTags('admin')
@Controller('api/admin/suppressions')
export class SuppressionsController {
  constructor(
    private readonly suppressions: SuppressionListService,
    private readonly exports: ExportService,
  ) {}

  @Get()
  @AdminOnly()
  @ApiAdminList()
  @ApiOperation({ summary: 'Addresses that get no mail, known by their digests only; `q` is a whole address' })
  @ApiOkResponse({ type: [SuppressionDto], headers: ApiTotal })
  async list(
    @Query() query: SuppressionQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SuppressionDto[]> {
    return sendAdminPage(response, await this.suppressions.page(query));
  }

  @Get('export')
  @AdminOnly()
  @ApiOperation({ summary: 'Addresses that get no mail as a CSV file, by the same filters and without the addresses' })
  @ApiCsv()
  export(
    @Query() query: SuppressionQueryDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<StreamableFile> {
    return this.exports.start('suppressions', actorOf(viewer, request), this.suppressions.all(query), {
      id: ({ id }) => id,
      ownerId: ({ ownerId }) => ownerId,
      ownerEmail: ({ ownerEmail }) => ownerEmail,
      reason: ({ reason }) => reason,
      createdAt: ({ createdAt }) => createdAt,
    });
  }

  @Delete(':id')
  @AdminOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'Write again to an address that only failed' })
  @ApiNoContentResponse()
  @ApiErrors(adminErrors.SUPPRESSION_NOT_FOUND, adminErrors.SUPPRESSION_STAYS)
  lift(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.suppressions.lift(id, actorOf(viewer, request));
  }
}
