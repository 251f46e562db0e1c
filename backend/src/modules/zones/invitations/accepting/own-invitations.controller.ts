import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Language } from '../../../../platform/errors/app-error.js';
import { commonErrors } from '../../../../platform/errors/common.errors.js';
import { AllowIncompleteProfile, CurrentViewer, SignedIn } from '../../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../../platform/http/parsing/id.pipe.js';
import { RequestLanguage } from '../../../../platform/http/parsing/request-language.js';
import type { AppRequest, Viewer } from '../../../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../../../auth/sessions/session-cookie.service.js';
import { invitationErrors, zoneErrors } from '../../zones.errors.js';
import { AcceptOwnInvitationDto, EnteredZoneDto } from '../dto/own-invitation.dto.js';
import { OwnInvitationService } from './own-invitation.service.js';

@ApiTags('zones')
@Controller('api/user/invitations')
export class OwnInvitationsController {
  constructor(private readonly ownInvitation: OwnInvitationService) {}

  @Post(':id/accept')
  @SignedIn()
  @AllowIncompleteProfile()
  @ApiJson('Accept an open invitation to your verified email address, without the link', EnteredZoneDto)
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
    const acceptor = { userId, language, origin: getSessionOrigin(request) };
    return { zoneId: await this.ownInvitation.accept(id, emailConsent, acceptor) };
  }
}
