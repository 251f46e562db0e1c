import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Language, Sentence } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { OptionalViewer, Public } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { RequestLanguage } from '../../../platform/http/language.js';
import type { AppRequest, Viewer } from '../../../platform/http/viewer.js';
import { authErrors } from '../../auth/auth.errors.js';
import { originOf, SessionCookie } from '../../auth/session-cookie.service.js';
import { missingParts, type MissingParts } from '../../auth/user.policy.js';
import { consentText } from '../consent.policy.js';
import { zoneErrors } from '../zones.errors.js';
import { AcceptanceService, type Accepted } from './acceptance.service.js';
import { AcceptedDto, AcceptInviteDto, InvitationInfoDto } from './dto/acceptance.dto.js';
import { InvitationLookup } from './invitation-lookup.service.js';
import { invitationErrors } from './invitations.errors.js';

const joined: Sentence = { en: 'You have joined the zone.', tr: 'Bölgeye katıldınız.' };
const almost: Sentence = {
  en: 'You have joined the zone. Finish your account to see its files.',
  tr: 'Bölgeye katıldınız. Dosyalarını görmek için hesabınızı tamamlayın.',
};

@ApiTags('zones')
@Controller('api')
export class AcceptanceController {
  constructor(
    private readonly lookup: InvitationLookup,
    private readonly acceptance: AcceptanceService,
    private readonly cookie: SessionCookie,
  ) {}

  @Get('invite/:token')
  @Public()
  @ApiOperation({ summary: 'What the link of an invitation leads to; changes nothing' })
  @ApiOkResponse({ type: InvitationInfoDto })
  @ApiErrors(invitationErrors.INVITATION_INVALID)
  async look(@Param('token') token: string, @RequestLanguage() language: Language): Promise<InvitationInfoDto> {
    const found = await this.lookup.find(token);
    return {
      zoneName: found.zoneName,
      inviterName: found.inviterName,
      email: found.email,
      isExistingUser: found.isExistingUser,
      isAccepted: found.used,
      requiresEmailOptin: found.requiresEmailOptin,
      consentText: consentText[language],
      expiresAt: found.expiresAt,
    };
  }

  @Post('accept-invite')
  @Public()
  @HttpCode(200)
  @ApiOperation({ summary: 'Accept an invitation, as the person whose address it names' })
  @ApiOkResponse({ type: AcceptedDto })
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    zoneErrors.CONSENT_REQUIRED,
    invitationErrors.INVITATION_INVALID,
    invitationErrors.INVITATION_OTHER_ADDRESS,
    authErrors.INVALID_CREDENTIALS,
    authErrors.ACCOUNT_DEACTIVATED,
    authErrors.USERNAME_TAKEN,
    authErrors.PASSWORD_UNCHANGED,
    zoneErrors.ALREADY_MEMBER,
    commonErrors.TOO_MANY_REQUESTS,
  )
  async accept(
    @Body() dto: AcceptInviteDto,
    @OptionalViewer() viewer: Viewer | null,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AcceptedDto> {
    const previousSid = this.cookie.read(request);
    const accepted = await this.acceptance.accept(dto, { viewer, language, origin: originOf(request), previousSid });
    if (accepted.sid !== null) this.cookie.write(response, accepted.sid);
    const missing = missingParts(accepted.user);
    const isUnfinished = missing.requiresPasswordChange || missing.requiresProfileCompletion;
    return {
      message: (isUnfinished ? almost : joined)[language],
      zoneName: accepted.invitation.zoneName,
      ...missing,
      redirectUrl: redirectUrl(accepted, missing, viewer),
    };
  }
}

/** Where the page goes on: what is missing of the account, the zone for whoever is signed in, else sign-in. */
function redirectUrl(
  { invitation, user, sid }: Accepted,
  { requiresPasswordChange, requiresProfileCompletion }: MissingParts,
  viewer: Viewer | null,
): string {
  const email = encodeURIComponent(user.email);
  if (requiresPasswordChange) return `/change-password?email=${email}`;
  if (requiresProfileCompletion) return `/complete-profile?zone=${invitation.zoneId}`;
  return sid !== null || viewer ? `/zones/${invitation.zoneId}` : `/auth?mode=login&email=${email}`;
}
