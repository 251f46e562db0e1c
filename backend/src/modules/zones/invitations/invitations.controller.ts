import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { Answers, AnswersNothing, AnswersPage } from '../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/reading/id.pipe.js';
import { RequestLanguage } from '../../../platform/http/reading/language.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { JudgesEachText } from '../../../platform/http/reading/storable-text.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { planErrors } from '../../plans/plans.errors.js';
import { CurrentZone, ZoneAccess } from '../access/zone-access.guard.js';
import type { ViewedZone } from '../access/zone-access.service.js';
import { zoneErrors, invitationErrors } from '../zones.errors.js';
import { InvitationDto } from './dto/invitation.dto.js';
import { InviteAnswerDto, InviteDto } from './dto/invite.dto.js';
import { InvitationChangeService } from './invitation-change.service.js';
import { InvitationReader } from './invitation-reader.service.js';
import { InvitingService } from './sending/inviting.service.js';

@ApiTags('zones')
@Controller('api/zones/:id')
export class InvitationsController {
  constructor(
    private readonly inviting: InvitingService,
    private readonly lists: InvitationReader,
    private readonly changes: InvitationChangeService,
  ) {}

  @Post('invite')
  @ZoneAccess('invite')
  @JudgesEachText('emails')
  @Answers('Invite people by email; each address has its own result', InviteAnswerDto)
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
  @AnswersPage('List open invitations, newest first', InvitationDto)
  list(@CurrentZone() { id }: ViewedZone, @Query() page: ListQueryDto): Promise<Page<InvitationDto>> {
    return this.lists.list(id, page);
  }

  @Get('invitations/:invitationId')
  @ZoneAccess('invite')
  @Answers('Get an invitation', InvitationDto)
  @ApiErrors(invitationErrors.INVITATION_NOT_FOUND)
  one(@CurrentZone() { id }: ViewedZone, @IdParam('invitationId') invitationId: number): Promise<InvitationDto> {
    return this.lists.one(id, invitationId);
  }

  @Delete('invitations/:invitationId')
  @ZoneAccess('invite')
  @AnswersNothing('Revoke an invitation; its link stops working immediately')
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
  @Answers('Resend an invitation; the previous link stops working immediately', InvitationDto)
  @ApiErrors(invitationErrors.ADDRESS_MAIL_LIMIT, invitationErrors.DAILY_MAIL_LIMIT)
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
