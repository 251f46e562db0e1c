import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiNoContent, ApiPaginated } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { ValidatesEachText } from '../../../platform/http/parsing/storable-text.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { planErrors } from '../../plans/plans.errors.js';
import { CurrentZone, ZoneAccess } from '../access/zone-access.guard.js';
import type { AccessibleZone } from '../access/zone-access.repository.js';
import { zoneErrors, invitationErrors } from '../zones.errors.js';
import { InvitationDto } from './dto/invitation.dto.js';
import { InviteAnswerDto, InviteDto } from './dto/invite.dto.js';
import { InvitationChangeService } from './invitation-change.service.js';
import { InvitationListService } from './invitation-list.service.js';
import { InvitePeopleService } from './sending/invite-people.service.js';

@ApiTags('zones')
@Controller('api/zones/:id')
export class InvitationsController {
  constructor(
    private readonly invitePeople: InvitePeopleService,
    private readonly invitationList: InvitationListService,
    private readonly changes: InvitationChangeService,
  ) {}

  @Post('invite')
  @ZoneAccess('invite')
  @ValidatesEachText('emails')
  @ApiJson('Invite people by email; each address has its own result', InviteAnswerDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  invite(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() { emails }: InviteDto,
    @RequestLanguage() language: Language,
  ): Promise<InviteAnswerDto> {
    return this.invitePeople.inviteEmails(zone, userId, emails, language);
  }

  @Get('invitations')
  @ZoneAccess('invite')
  @ApiPaginated('List open invitations, newest first', InvitationDto)
  list(@CurrentZone() { id }: AccessibleZone, @Query() page: ListQueryDto): Promise<Page<InvitationDto>> {
    return this.invitationList.list(id, page);
  }

  @Get('invitations/:invitationId')
  @ZoneAccess('invite')
  @ApiJson('Get an invitation', InvitationDto)
  @ApiErrors(invitationErrors.INVITATION_NOT_FOUND)
  one(@CurrentZone() { id }: AccessibleZone, @IdParam('invitationId') invitationId: number): Promise<InvitationDto> {
    return this.invitationList.findOne(id, invitationId);
  }

  @Delete('invitations/:invitationId')
  @ZoneAccess('invite')
  @ApiNoContent('Revoke an invitation; its link stops working immediately')
  @ApiErrors(invitationErrors.INVITATION_NOT_FOUND)
  revoke(
    @CurrentZone() zone: AccessibleZone,
    @IdParam('invitationId') invitationId: number,
    @CurrentViewer() { userId }: Viewer,
  ): Promise<void> {
    return this.changes.revokeInvitation(zone, invitationId, userId);
  }

  @Post('invitations/:invitationId/resend')
  @ZoneAccess('invite')
  @ApiJson('Resend an invitation; the previous link stops working immediately', InvitationDto)
  @ApiErrors(invitationErrors.ADDRESS_MAIL_LIMIT, invitationErrors.DAILY_MAIL_LIMIT)
  @ApiErrors(
    invitationErrors.INVITATION_NOT_FOUND,
    planErrors.PLAN_LIMIT,
    zoneErrors.ZONE_FULL,
    commonErrors.TOO_MANY_REQUESTS,
  )
  async resend(
    @CurrentZone() zone: AccessibleZone,
    @IdParam('invitationId') invitationId: number,
    @CurrentViewer() { userId }: Viewer,
  ): Promise<InvitationDto> {
    await this.changes.resendInvitation(zone, invitationId, userId);
    return this.invitationList.findOne(zone.id, invitationId);
  }
}
