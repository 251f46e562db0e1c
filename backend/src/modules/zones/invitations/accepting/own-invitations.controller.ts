import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Language } from '../../../../platform/errors/app-error.js';
import { commonErrors } from '../../../../platform/errors/common.errors.js';
import { AllowReader, CurrentViewer, SignedIn } from '../../../../platform/http/access.decorator.js';
import { Answers } from '../../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../../platform/http/reading/id.pipe.js';
import { RequestLanguage } from '../../../../platform/http/reading/language.js';
import type { AppRequest, Viewer } from '../../../../platform/http/reading/viewer.js';
import { originOf } from '../../../auth/sessions/session-cookie.service.js';
import { invitationErrors, zoneErrors } from '../../zones.errors.js';
import { AcceptOwnInvitationDto, EnteredZoneDto } from '../dto/own-invitation.dto.js';
import { OwnInvitations } from './own-invitations.service.js';

@ApiTags('zones')
@Controller('api/user/invitations')
export class OwnInvitationsController {
  constructor(private readonly invitations: OwnInvitations) {}

  @Post(':id/accept')
  @SignedIn()
  @AllowReader()
  @Answers('Accept an open invitation to your verified email address, without the link', EnteredZoneDto)
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    zoneErrors.CONSENT_REQUIRED,
    zoneErrors.ZONE_FULL,
    invitationErrors.INVITATION_NOT_FOUND,
  )
  async accept(
    @CurrentViewer() { userId }: Viewer,
    @IdParam('id') id: number,
    @Body() { emailConsent = false }: AcceptOwnInvitationDto,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<EnteredZoneDto> {
    const acceptor = { userId, language, origin: originOf(request) };
    return { zoneId: await this.invitations.accept(id, emailConsent, acceptor) };
  }
}
