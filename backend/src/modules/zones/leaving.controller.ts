import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Language } from '../../platform/errors/app-error.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { RequestLanguage } from '../../platform/http/language.js';
import { ApiList, ListQueryDto, sendPage } from '../../platform/http/list.js';
import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import { originOf } from '../auth/session-cookie.service.js';
import { ConsentStateDto, LeaveDto, LeaveZoneDto, LeftDto } from './dto/leaving.dto.js';
import { LeaveListService } from './leave-list.service.js';
import { LeavingService } from './leaving.service.js';
import { UnsubscribeService } from './unsubscribe.service.js';
import { CurrentZone, ZoneAccess } from './zone-access.guard.js';
import type { ViewedZone } from './zone-access.service.js';
import { zoneErrors } from './zones.errors.js';

@ApiTags('zones')
@Controller('api/zones/:id')
export class LeavingController {
  constructor(
    private readonly leaving: LeavingService,
    private readonly leaves: LeaveListService,
    private readonly unsubscribes: UnsubscribeService,
  ) {}

  @Post('leave')
  @ZoneAccess('leave')
  @HttpCode(200)
  @ApiOperation({ summary: 'Leave a zone, and its mails with it' })
  @ApiOkResponse({ type: LeftDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.LEAVE_LIMIT)
  async leave(
    @CurrentZone() zone: ViewedZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() { reason }: LeaveZoneDto,
  ): Promise<LeftDto> {
    await this.leaving.leave(zone, userId, reason || null);
    return { zoneId: zone.id, isPublic: zone.type === 'public' };
  }

  @Get('leaves')
  @ZoneAccess('manageMembers')
  @ApiList()
  @ApiOperation({ summary: 'Who left a zone or was removed from it, and why' })
  @ApiOkResponse({ type: [LeaveDto] })
  async list(
    @CurrentZone() { id }: ViewedZone,
    @Query() page: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LeaveDto[]> {
    return sendPage(response, await this.leaves.list(id, page));
  }

  @Post('consent')
  @ZoneAccess('leave')
  @HttpCode(200)
  @ApiOperation({ summary: 'Agree to the mails of a zone that you are in' })
  @ApiOkResponse({ type: ConsentStateDto })
  async agree(
    @CurrentZone() { id: zoneId }: ViewedZone,
    @CurrentViewer() { userId }: Viewer,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<ConsentStateDto> {
    const { ipAddress } = originOf(request);
    await this.unsubscribes.agree({ userId, zoneId }, { ipAddress, language }, 'profile');
    return { getsMails: true };
  }

  @Delete('consent')
  @ZoneAccess('leave')
  @HttpCode(204)
  @ApiOperation({ summary: 'Stop the mails of a zone and stay in it, where that is offered' })
  @ApiNoContentResponse()
  @ApiErrors(zoneErrors.MAILS_BELONG_TO_ZONE)
  refuse(@CurrentZone() { id: zoneId }: ViewedZone, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.unsubscribes.refuse({ userId, zoneId });
  }
}
