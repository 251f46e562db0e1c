import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { MINUTE } from '../../platform/clock/clock.js';
import type { Language } from '../../platform/errors/app-error.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { OptionalViewer, Public } from '../../platform/http/access.decorator.js';
import { ApiJson } from '../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { RequireProofOfWork } from '../../platform/http/networks/proof-of-work.decorator.js';
import { NetworkLimit } from '../../platform/http/networks/network-limit.decorator.js';
import type { RateRule } from '../../platform/http/limits/rate-limit.service.js';
import { RequestLanguage } from '../../platform/http/parsing/request-language.js';
import type { AppRequest, Viewer } from '../../platform/http/parsing/viewer.js';
import { EmailVerificationService } from '../auth/registration/email-verification.service.js';
import { authErrors } from '../auth/auth.errors.js';
import { getSessionOrigin } from '../auth/sessions/session-cookie.service.js';
import { SignInResponseService } from '../auth/sign-in/sign-in-response.service.js';
import { CurrentZone, ZoneAccess } from '../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../zones/access/zone-access.repository.js';
import { zoneErrors } from '../zones/zones.errors.js';
import {
  JoinAnswerDto,
  JoinDto,
  PublicZoneDto,
  VerificationDto,
  VerifyEmailDto,
  toJoinAnswer,
  toVerificationResponse,
} from './dto/join.dto.js';
import { JOIN_RATE, JoinService } from './joining/join.service.js';
import { linkErrors } from './links.errors.js';
import { LinkPreviewService } from './link-preview.service.js';
import { VerifyJoinService } from './joining/verify-join.service.js';

/** Limit for emailed tokens. A class that joins together may share one IP address. */
const VERIFY_LIMIT: RateRule = { name: 'verify-email-ip', limit: 120, window: MINUTE };

@ApiTags('links')
@Controller('api')
export class LinksController {
  constructor(
    private readonly previews: LinkPreviewService,
    private readonly joins: JoinService,
    private readonly verification: VerifyJoinService,
    private readonly addresses: EmailVerificationService,
    private readonly signInResponse: SignInResponseService,
  ) {}

  @Get('public-zones/:publicLink')
  @Public()
  @ApiJson('Get the preview of a public zone behind its permanent link', PublicZoneDto)
  @ApiErrors(linkErrors.LINK_NOT_FOUND)
  preview(@Param('publicLink') publicLink: string, @RequestLanguage() language: Language): Promise<PublicZoneDto> {
    return this.previews.previewPublicZone(publicLink, language);
  }

  @Get('zones/:id/visitor-preview')
  @ZoneAccess('manageFiles')
  @ApiJson(
    "Preview your zone, public or private, as visitors see it through a link; doesn't count as a use",
    PublicZoneDto,
  )
  asVisitor(@CurrentZone() { id }: AccessibleZone, @RequestLanguage() language: Language): Promise<PublicZoneDto> {
    return this.previews.previewZone(id, language);
  }

  @Post('public-zones/:publicLink/join')
  @Public()
  @RequireProofOfWork('join')
  @NetworkLimit(JOIN_RATE)
  @ApiJson('Join a public zone, or request to join', JoinAnswerDto)
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    linkErrors.CONSENT_REQUIRED,
    linkErrors.LINK_NOT_FOUND,
    linkErrors.ALREADY_MEMBER,
    zoneErrors.ZONE_FULL,
    commonErrors.TOO_MANY_REQUESTS,
  )
  async join(
    @Param('publicLink') publicLink: string,
    @Body() dto: JoinDto,
    @OptionalViewer() viewer: Viewer | null,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<JoinAnswerDto> {
    const input = { ...dto, ...getSessionOrigin(request), language };
    return toJoinAnswer(await this.joins.joinByPublicLink(publicLink, input, viewer), language);
  }

  @Get('verify-email')
  @Public()
  @ApiJson('Check the link from an email; changes nothing', VerificationDto)
  @ApiErrors(authErrors.TOKEN_INVALID, commonErrors.VALIDATION_FAILED)
  @ApiErrors(linkErrors.LINK_NOT_FOUND, linkErrors.LINK_EXPIRED, linkErrors.LINK_MAX_USES)
  @ApiErrors(linkErrors.LINK_ALREADY_USED, linkErrors.CONSENT_REQUIRED)
  async look(@Query() dto: VerifyEmailDto, @RequestLanguage() language: Language): Promise<VerificationDto> {
    const { token, join } = dto;
    if (join == null) {
      const { token: found, user } = await this.addresses.findVerificationLink(token);
      const outcome = found.usedAt === null ? 'addressReady' : 'addressVerified';
      return toVerificationResponse({ outcome, email: user.email, redirectUrl: null }, language);
    }
    return toVerificationResponse(await this.verification.previewJoin({ token, join }), language);
  }

  @Post('verify-email')
  @Public()
  @NetworkLimit(VERIFY_LIMIT)
  @ApiJson('Verify the email address, and join the zone of the link, if any', VerificationDto)
  @ApiErrors(authErrors.TOKEN_INVALID, commonErrors.VALIDATION_FAILED, zoneErrors.ZONE_FULL)
  @ApiErrors(linkErrors.LINK_ALREADY_USED, linkErrors.CONSENT_REQUIRED)
  @ApiErrors(linkErrors.LINK_NOT_FOUND, linkErrors.LINK_EXPIRED, linkErrors.LINK_MAX_USES)
  async verify(
    @Body() dto: VerifyEmailDto,
    @OptionalViewer() viewer: Viewer | null,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<VerificationDto> {
    const { token, join } = dto;
    if (join == null) {
      const { email } = (await this.addresses.verifyEmail(token)).user;
      const redirectUrl = viewer?.email === email ? '/' : null;
      return toVerificationResponse({ outcome: 'addressVerified', email, redirectUrl }, language);
    }
    const membership = await this.verification.completeByLink({ token, join }, getSessionOrigin(request), viewer);
    if (membership.signIn) this.signInResponse.writeSignInResponse(response, membership.signIn);
    return toVerificationResponse(membership, language);
  }
}
