import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/id.pipe.js';
import { RequestLanguage } from '../../../platform/http/language.js';
import { ApiList, ListQueryDto, sendPage } from '../../../platform/http/list.js';
import { JudgesEachText } from '../../../platform/http/storable-text.guard.js';
import type { Viewer } from '../../../platform/http/viewer.js';
import { planErrors } from '../../plans/plans.errors.js';
import { CurrentZone, ZoneAccess } from '../zone-access.guard.js';
import type { ViewedZone } from '../zone-access.service.js';
import { zoneErrors } from '../zones.errors.js';
import { InvitationDto } from './dto/invitation.dto.js';
import { InviteAnswerDto, InviteDto } from './dto/invite.dto.js';
import { InvitationChangeService } from './invitation-change.service.js';
import { InvitationListService } from './invitation-list.service.js';
import { invitationErrors } from './invitations.errors.js';
import { InvitingService } from './inviting.service.js';

@ApiTags('zones')
@Controller('api/zones/:id')
export class InvitationsController {
  constructor(
    private readonly inviting: InvitingService,
    private readonly lists: InvitationListService,
    private readonly changes: InvitationChangeService,
  ) {}

  @Post('invite')
  @ZoneAccess('invite')
  @JudgesEachText('emails')
  @HttpCode(200)
  @ApiOperation({ summary: 'Invite people by mail; each address has a result of its own' })
  @ApiOkResponse({ type: InviteAnswerDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  invite(
    @CurrentZone() zone: ViewedZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() { emails }: InviteDto,
    @RequestLanguage() language: Language,
  ): Promise<InviteAnswerDto> {
    return this.inviting.invite(zone, userId, emails, language);
  }

  @Get('invitations')
  @ZoneAccess('invite')
  @ApiList()
  @ApiOperation({ summary: 'Invitations that nobody has accepted yet, the newest first' })
  @ApiOkResponse({ type: [InvitationDto] })
  async list(
    @CurrentZone() { id }: ViewedZone,
    @Query() page: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<InvitationDto[]> {
    return sendPage(response, await this.lists.list(id, page));
  }

  @Get('invitations/:invitationId')
  @ZoneAccess('invite')
  @ApiOperation({ summary: 'One invitation' })
  @ApiOkResponse({ type: InvitationDto })
  @ApiErrors(invitationErrors.INVITATION_NOT_FOUND)
  one(@CurrentZone() { id }: ViewedZone, @IdParam('invitationId') invitationId: number): Promise<InvitationDto> {
    return this.lists.one(id, invitationId);
  }

  @Delete('invitations/:invitationId')
  @ZoneAccess('invite')
  @HttpCode(204)
  @ApiOperation({ summary: 'Take an invitation back; its link is dead at once' })
  @ApiNoContentResponse()
  @ApiErrors(invitationErrors.INVITATION_NOT_FOUND)
  revoke(
    @CurrentZone() zone: ViewedZone,
    @IdParam('invitationId') invitationId: number,
    @CurrentViewer() { userId }: Viewer,
  ): Promise<void> {
    return this.changes.revoke(zone, invitationId, userId);
  }

  @Post('invitations/:invitationId/resend')
  @ZoneAccess('invite')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send an invitation again; the link of the old mail is dead at once' })
  @ApiOkResponse({ type: InvitationDto })
  @ApiErrors(
    invitationErrors.INVITATION_NOT_FOUND,
    planErrors.PLAN_LIMIT,
    zoneErrors.ZONE_FULL,
    commonErrors.TOO_MANY_REQUESTS,
  )
  async resend(
    @CurrentZone() zone: ViewedZone,
    @IdParam('invitationId') invitationId: number,
    @CurrentViewer() { userId }: Viewer,
  ): Promise<InvitationDto> {
    await this.changes.resend(zone, invitationId, userId);
    return this.lists.one(zone.id, invitationId);
  }
}
