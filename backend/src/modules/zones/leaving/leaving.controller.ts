import { Body, Controller, Delete, Get, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AllowIncompleteProfile, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiNoContent, ApiPaginated } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../../auth/sessions/session-cookie.service.js';
import { ConsentStateDto, LeaveDto, LeaveZoneDto, LeftDto } from '../dto/leaving.dto.js';
import { LeaveListService } from './leave-list.service.js';
import { LeavingService } from './leaving.service.js';
import { UnsubscribeService } from './unsubscribe.service.js';
import { CurrentZone, ZoneAccess } from '../access/zone-access.guard.js';
import type { AccessibleZone } from '../access/zone-access.repository.js';
import { zoneErrors } from '../zones.errors.js';

@ApiTags('zones')
@Controller('api/zones/:id')
export class LeavingController {
  constructor(
    private readonly leaving: LeavingService,
    private readonly leaves: LeaveListService,
    private readonly unsubscribes: UnsubscribeService,
  ) {}

  @Post('leave')
  @AllowIncompleteProfile()
  @ZoneAccess('leave')
  @ApiJson('Leave a zone and stop receiving its emails', LeftDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.LEAVE_LIMIT)
  async leave(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() { reason }: LeaveZoneDto,
  ): Promise<LeftDto> {
    await this.leaving.leaveInApp(zone, userId, reason || null);
    return { zoneId: zone.id, isPublic: zone.type === 'public' };
  }

  @Get('leaves')
  @ZoneAccess('manageMembers')
  @ApiPaginated('List former members with the reason for leaving', LeaveDto)
  list(@CurrentZone() { id }: AccessibleZone, @Query() page: ListQueryDto): Promise<Page<LeaveDto>> {
    return this.leaves.list(id, page);
  }

  @Post('consent')
  @AllowIncompleteProfile()
  @ZoneAccess('leave')
  @ApiJson('Agree to receive the emails of a zone that you are a member of', ConsentStateDto)
  async agree(
    @CurrentZone() { id: zoneId }: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<ConsentStateDto> {
    const { ipAddress } = getSessionOrigin(request);
    await this.unsubscribes.giveConsent({ userId, zoneId }, { ipAddress, language }, 'profile');
    return { getsMails: true };
  }

  @Delete('consent')
  @AllowIncompleteProfile()
  @ZoneAccess('leave')
  @ApiNoContent("Stop receiving a zone's emails without leaving it, where allowed")
  @ApiErrors(zoneErrors.MAILS_BELONG_TO_ZONE)
  refuse(@CurrentZone() { id: zoneId }: AccessibleZone, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.unsubscribes.withdrawConsent({ userId, zoneId });
  }
}
