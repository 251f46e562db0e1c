import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiPaginated } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { planErrors } from '../../plans/plans.errors.js';
import { DecidedJoinRequestDto, JoinRequestDto } from '../dto/member.dto.js';
import { JoinRequestService } from './join-request.service.js';
import { CurrentZone, ZoneAccess } from '../access/zone-access.guard.js';
import type { AccessibleZone } from '../access/zone-access.repository.js';
import { zoneErrors } from '../zones.errors.js';

@ApiTags('zones')
@Controller('api/zones/:id/join-requests')
export class JoinRequestsController {
  constructor(private readonly requests: JoinRequestService) {}

  @Get()
  @ZoneAccess('invite')
  @ApiPaginated('List the join requests of a zone', JoinRequestDto)
  list(@CurrentZone() { id }: AccessibleZone, @Query() page: ListQueryDto): Promise<Page<JoinRequestDto>> {
    return this.requests.listOpen(id, page);
  }

  @Post(':requestId/approve')
  @ZoneAccess('invite')
  @HttpCode(200)
  @ApiJson('Approve a request to join', DecidedJoinRequestDto)
  @ApiErrors(zoneErrors.JOIN_REQUEST_NOT_FOUND, planErrors.PLAN_LIMIT, zoneErrors.ZONE_FULL)
  approve(
    @CurrentZone() zone: AccessibleZone,
    @IdParam('requestId') requestId: number,
    @CurrentViewer() { userId }: Viewer,
  ): Promise<DecidedJoinRequestDto> {
    return this.requests.approve(zone, requestId, userId);
  }

  @Post(':requestId/decline')
  @ZoneAccess('invite')
  @HttpCode(200)
  @ApiJson('Decline a request to join', DecidedJoinRequestDto)
  @ApiErrors(zoneErrors.JOIN_REQUEST_NOT_FOUND)
  decline(
    @CurrentZone() zone: AccessibleZone,
    @IdParam('requestId') requestId: number,
  ): Promise<DecidedJoinRequestDto> {
    return this.requests.decline(zone, requestId);
  }
}
