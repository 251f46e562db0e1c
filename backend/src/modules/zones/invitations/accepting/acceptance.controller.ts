import { Body, Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { MINUTE } from '../../../../platform/clock/clock.js';
import type { Language, Sentence } from '../../../../platform/errors/app-error.js';
import { commonErrors } from '../../../../platform/errors/common.errors.js';
import { OptionalViewer, Public } from '../../../../platform/http/access.decorator.js';
import { Answers } from '../../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../../platform/http/errors/api-errors.decorator.js';
import { NetworkLimit } from '../../../../platform/http/networks/network-limit.decorator.js';
import type { RateRule } from '../../../../platform/http/limits/rate-limits.service.js';
import { RequestLanguage } from '../../../../platform/http/reading/language.js';
import type { AppRequest, Viewer } from '../../../../platform/http/reading/viewer.js';
import { authErrors } from '../../../auth/auth.errors.js';
import { originOf, SessionCookie } from '../../../auth/sessions/session-cookie.service.js';
import { EntryAnswer, factorPage } from '../../../auth/sign-in/entry-answer.service.js';
import { isOpened } from '../../../auth/sign-in/session-opener.service.js';
import { missingParts, type MissingParts } from '../../../auth/access/user.policy.js';
import { consentText } from '../../consent/consent.policy.js';
import { zoneErrors, invitationErrors } from '../../zones.errors.js';
import { AcceptanceService, type Accepted } from './acceptance.service.js';
import { AcceptedDto, AcceptInviteDto, InvitationInfoDto } from '../dto/acceptance.dto.js';
import { InvitationReader } from '../invitation-reader.service.js';

const joined: Sentence = { en: "You've joined the zone.", tr: 'Bölgeye katıldınız.' };
const almost: Sentence = {
  en: "You've joined the zone. Complete your profile to see its files.",
  tr: 'Bölgeye katıldınız. Dosyalarını görmek için profilinizi tamamlayın.',
};

const agreeFirst: Sentence = {
  en: 'Please agree to receive the zone’s emails to join.',
  tr: 'Katılmak için lütfen bölgenin e-postalarını almayı kabul edin.',
};

const nothingMissing: MissingParts = { requiresPasswordChange: false, requiresProfileCompletion: false };

const ACCEPT_LIMIT: RateRule = { name: 'accept-invite-ip', limit: 120, window: MINUTE };

@ApiTags('zones')
@Controller('api')
export class AcceptanceController {
  constructor(
    private readonly invitations: InvitationReader,
    private readonly acceptance: AcceptanceService,
    private readonly cookie: SessionCookie,
    private readonly answer: EntryAnswer,
  ) {}

  @Get('invite/:token')
  @Public()
  @Answers('Get the invitation behind a link; changes nothing', InvitationInfoDto)
  @ApiErrors(invitationErrors.INVITATION_INVALID)
  async look(@Param('token') token: string, @RequestLanguage() language: Language): Promise<InvitationInfoDto> {
    const found = await this.invitations.find(token);
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
  @Answers('Accept an invitation as the invited person', AcceptedDto)
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
    const accepted = await this.acceptance.accept(dto, { viewer, language, origin: originOf(request), previousSid });
    if (!accepted) return this.askConsent(dto.token, language);
    if (accepted.entry) this.answer.send(response, accepted.entry);
    const missing = accepted.isRestricted ? missingParts(accepted.user) : nothingMissing;
    const isUnfinished = missing.requiresPasswordChange || missing.requiresProfileCompletion;
    return {
      message: (isUnfinished ? almost : joined)[language],
      zoneName: accepted.invitation.zoneName,
      ...missing,
      ...{ requiresConsent: false, consentText: null },
      redirectUrl: redirectUrl(accepted, missing, viewer),
    };
  }

  private async askConsent(token: string, language: Language): Promise<AcceptedDto> {
    const { zoneName } = await this.invitations.find(token);
    return {
      ...{ message: agreeFirst[language], zoneName, requiresPasswordChange: false, requiresProfileCompletion: false },
      ...{ requiresConsent: true, consentText: consentText[language], redirectUrl: `/invite/${token}` },
    };
  }
}

/** Where the page goes on: what is missing of the account, the zone for whoever is signed in, else sign-in. */
function redirectUrl(
  { invitation, user, entry }: Accepted,
  { requiresPasswordChange, requiresProfileCompletion }: MissingParts,
  viewer: Viewer | null,
): string {
  const email = encodeURIComponent(user.email);
  if (entry && !isOpened(entry)) return factorPage(`/zones/${invitation.zoneId}`);
  if (requiresPasswordChange) return `/change-password?email=${email}`;
  if (requiresProfileCompletion) return `/complete-profile?zone=${invitation.zoneId}`;
  return entry || viewer ? `/zones/${invitation.zoneId}` : `/auth?mode=login&email=${email}`;
}
