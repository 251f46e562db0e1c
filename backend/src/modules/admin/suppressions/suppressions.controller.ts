import { Controller, Delete, Get, HttpCode, Query, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminOnly, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiAdminList, sendAdminPage } from '../../../platform/http/admin-list.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/viewer.js';
import { originOf } from '../../auth/session-cookie.service.js';
import { adminErrors } from '../admin.errors.js';
import { SuppressionDto } from '../dto/admin-lists.dto.js';
import { SuppressionQueryDto } from '../dto/list-query.dto.js';
import { ApiTotal } from '../export.service.js';
import { SuppressionListService } from './suppression-list.service.js';

@ApiTags('admin')
@Controller('api/admin/suppressions')
export class SuppressionsController {
  constructor(private readonly suppressions: SuppressionListService) {}

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

  @Delete(':id')
  @AdminOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'Write again to an address that only failed' })
  @ApiNoContentResponse()
  @ApiErrors(adminErrors.SUPPRESSION_NOT_FOUND, adminErrors.SUPPRESSION_STAYS)
  lift(@IdParam() id: number, @CurrentViewer() { userId }: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.suppressions.lift(id, { actorId: userId, ipAddress: originOf(request).ipAddress });
  }
}
