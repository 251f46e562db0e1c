import { Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentViewer } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { IdParam } from '../../platform/http/id.pipe.js';
import { ApiList, ListQueryDto, sendPage } from '../../platform/http/list.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { planErrors } from '../plans/plans.errors.js';
import { JoinRequestDto } from './dto/join-request.dto.js';
import { JoinRequestService } from './join-request.service.js';
import { CurrentZone, ZoneAccess } from './zone-access.guard.js';
import type { ViewedZone } from './zone-access.service.js';
import { zoneErrors } from './zones.errors.js';

@ApiTags('zones')
@Controller('api/zones/:id/join-requests')
export class JoinRequestsController {
  constructor(private readonly requests: JoinRequestService) {}

  @Get()
  @ZoneAccess('invite')
  @ApiList()
  @ApiOperation({ summary: 'Who waits to be let in' })
  @ApiOkResponse({ type: [JoinRequestDto] })
  async list(
    @CurrentZone() { id }: ViewedZone,
    @Query() page: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JoinRequestDto[]> {
    return sendPage(response, await this.requests.list(id, page));
  }

  @Post(':requestId/approve')
  @ZoneAccess('invite')
  @HttpCode(204)
  @ApiOperation({ summary: 'Let somebody in' })
  @ApiNoContentResponse()
  @ApiErrors(zoneErrors.JOIN_REQUEST_NOT_FOUND, planErrors.PLAN_LIMIT, zoneErrors.ZONE_FULL)
  approve(
    @CurrentZone() zone: ViewedZone,
    @IdParam('requestId') requestId: number,
    @CurrentViewer() { userId }: Viewer,
  ): Promise<void> {
    return this.requests.approve(zone, requestId, userId);
  }

  @Post(':requestId/decline')
  @ZoneAccess('invite')
  @HttpCode(204)
  @ApiOperation({ summary: 'Turn somebody away' })
  @ApiNoContentResponse()
  @ApiErrors(zoneErrors.JOIN_REQUEST_NOT_FOUND)
  decline(@CurrentZone() zone: ViewedZone, @IdParam('requestId') requestId: number): Promise<void> {
    return this.requests.decline(zone, requestId);
  }
}
