import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { MINUTE } from '../../../../platform/clock/clock.js';
import type { Language, LocalizedText } from '../../../../platform/errors/app-error.js';
import { commonErrors } from '../../../../platform/errors/common.errors.js';
import { OptionalViewer, Public } from '../../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../../platform/http/errors/api-errors.decorator.js';
import { NetworkLimit } from '../../../../platform/http/networks/network-limit.decorator.js';
import type { RateRule } from '../../../../platform/http/limits/rate-limit.service.js';
import { RequestLanguage } from '../../../../platform/http/parsing/request-language.js';
import type { AppRequest, Viewer } from '../../../../platform/http/parsing/viewer.js';
import { authErrors } from '../../../auth/auth.errors.js';
import { getSessionOrigin, SessionCookieService } from '../../../auth/sessions/session-cookie.service.js';
import { SignInResponseService, mfaRedirectPath } from '../../../auth/sign-in/sign-in-response.service.js';
import { isSessionCreated } from '../../../auth/sign-in/session-issuer.service.js';
import { getMissingProfileParts, type MissingProfileParts } from '../../../auth/access/user.policy.js';
import { consentText } from '../../consent/consent.policy.js';
import { zoneErrors, invitationErrors } from '../../zones.errors.js';
import { InvitationLinkService, type AcceptanceResult } from './invitation-link.service.js';
import { AcceptedDto, AcceptInviteDto, InvitationInfoDto } from '../dto/acceptance.dto.js';
import { InvitationListService } from '../invitation-list.service.js';

const joined: LocalizedText = { en: "You've joined the zone.", tr: 'Bölgeye katıldınız.' };
const joinedIncompleteProfile: LocalizedText = {
  en: "You've joined the zone. Complete your profile to see its files.",
  tr: 'Bölgeye katıldınız. Dosyalarını görmek için profilinizi tamamlayın.',
};

const consentNeeded: LocalizedText = {
  en: 'Please agree to receive the zone’s emails to join.',
  tr: 'Katılmak için lütfen bölgenin e-postalarını almayı kabul edin.',
};

const nothingMissingFromAccount: MissingProfileParts = {
  requiresPasswordChange: false,
  requiresProfileCompletion: false,
};

const ACCEPT_LIMIT: RateRule = { name: 'accept-invite-ip', limit: 120, window: MINUTE };

@ApiTags('zones')
@Controller('api')
export class AcceptanceController {
  constructor(
    private readonly invitationList: InvitationListService,
    private readonly invitationLink: InvitationLinkService,
    private readonly cookie: SessionCookieService,
    private readonly answer: SignInResponseService,
  ) {}

  @Get('invite/:token')
  @Public()
  @ApiJson('Get the invitation behind a link; changes nothing', InvitationInfoDto)
  @ApiErrors(invitationErrors.INVITATION_INVALID)
  async look(@Param('token') token: string, @RequestLanguage() language: Language): Promise<InvitationInfoDto> {
    const found = await this.invitationList.findByToken(token);
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
  @NetworkLimit(ACCEPT_LIMIT)
  @ApiJson('Accept an invitation as the invited person', AcceptedDto)
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    zoneErrors.CONSENT_REQUIRED,
    invitationErrors.INVITATION_INVALID,
    invitationErrors.INVITATION_OTHER_ADDRESS,
    authErrors.INVALID_CREDENTIALS,
    authErrors.ACCOUNT_DEACTIVATED,
    authErrors.USERNAME_TAKEN,
    authErrors.USERNAME_RESERVED,
    authErrors.PASSWORD_UNCHANGED,
    zoneErrors.ALREADY_MEMBER,
    commonErrors.CONFIRMATION_REQUIRED,
    commonErrors.TOO_MANY_REQUESTS,
    commonErrors.SERVER_BUSY,
  )
  async accept(
    @Body() dto: AcceptInviteDto,
    @OptionalViewer() viewer: Viewer | null,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AcceptedDto> {
    const previousSid = this.cookie.read(request);
    const accepted = await this.invitationLink.accept(dto, {
      viewer,
      language,
      origin: getSessionOrigin(request),
      previousSid,
    });
    if (!accepted) return this.requestConsent(dto.token, language);
    if (accepted.signIn) this.answer.writeSignInResponse(response, accepted.signIn);
    const missing = accepted.isRestricted ? getMissingProfileParts(accepted.user) : nothingMissingFromAccount;
    const isUnfinished = missing.requiresPasswordChange || missing.requiresProfileCompletion;
    return {
      message: (isUnfinished ? joinedIncompleteProfile : joined)[language],
      zoneName: accepted.invitation.zoneName,
      ...missing,
      requiresConsent: false,
      consentText: null,
      redirectUrl: redirectUrl(accepted, missing, viewer),
    };
  }

  private async requestConsent(token: string, language: Language): Promise<AcceptedDto> {
    const { zoneName } = await this.invitationList.findByToken(token);
    return {
      message: consentNeeded[language],
      zoneName,
      requiresPasswordChange: false,
      requiresProfileCompletion: false,
      requiresConsent: true,
      consentText: consentText[language],
      redirectUrl: `/invite/${token}`,
    };
  }
}

/** Returns the next page: the missing part of the profile, the zone for signed-in people, otherwise sign-in. */
function redirectUrl(
  { invitation, user, signIn }: AcceptanceResult,
  { requiresPasswordChange, requiresProfileCompletion }: MissingProfileParts,
  viewer: Viewer | null,
): string {
  const email = encodeURIComponent(user.email);
  if (signIn && !isSessionCreated(signIn)) return mfaRedirectPath(`/zones/${invitation.zoneId}`);
  if (requiresPasswordChange) return `/change-password?email=${email}`;
  if (requiresProfileCompletion) return `/complete-profile?zone=${invitation.zoneId}`;
  return signIn || viewer ? `/zones/${invitation.zoneId}` : `/auth?mode=login&email=${email}`;
}
