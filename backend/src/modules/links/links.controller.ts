import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Language } from '../../platform/errors/app-error.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { OptionalViewer, Public } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { RequestLanguage } from '../../platform/http/language.js';
import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import { AddressVerificationService } from '../auth/address-verification.service.js';
import { authErrors } from '../auth/auth.errors.js';
import { originOf, SessionCookie } from '../auth/session-cookie.service.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { consentText } from '../zones/consent.policy.js';
import { JoinAnswerDto, JoinDto, PublicZoneDto, VerificationDto, VerifyEmailDto } from './dto/join.dto.js';
import { joinAnswer } from './join-answer.js';
import { JoinService } from './join.service.js';
import { linkErrors } from './links.errors.js';
import { PublicZoneService } from './public-zone.service.js';
import { VerifyJoinService, waitsForOwner } from './verify-join.service.js';
import { joinSentences } from './join-sentences.js';

@ApiTags('links')
@Controller('api')
export class LinksController {
  constructor(
    private readonly publicZones: PublicZoneService,
    private readonly joins: JoinService,
    private readonly verification: VerifyJoinService,
    private readonly addresses: AddressVerificationService,
    private readonly cookie: SessionCookie,
  ) {}

  @Get('public-zones/:publicLink')
  @Public()
  @ApiOperation({ summary: 'A public zone, as its permanent link shows it' })
  @ApiOkResponse({ type: PublicZoneDto })
  @ApiErrors(linkErrors.LINK_NOT_FOUND)
  async preview(
    @Param('publicLink') publicLink: string,
    @RequestLanguage() language: Language,
  ): Promise<PublicZoneDto> {
    const zone = await this.publicZones.find(publicLink);
    return {
      name: zone.name,
      description: zone.description,
      fileCount: zone.fileCount,
      memberCount: zone.memberCount,
      owner: { firstName: zone.ownerFirstName, lastName: zone.ownerLastName },
      autoJoin: zone.autoJoin,
      requiresEmailOptin: zone.requiresEmailOptin,
      consentText: consentText[language],
    };
  }

  @Post('public-zones/:publicLink/join')
  @Public()
  @HttpCode(200)
  @ApiOperation({ summary: 'Ask to join a public zone' })
  @ApiOkResponse({ type: JoinAnswerDto })
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
    const zone = await this.publicZones.find(publicLink);
    const entrance = { zone, link: null, publicLink: zone.publicLink };
    const outcome = await this.joins.join(entrance, { ...dto, ...originOf(request), language }, viewer);
    return joinAnswer(outcome, zone.id, language);
  }

  @Get('verify-email')
  @Public()
  @ApiOperation({ summary: 'What the link in a mail would do; changes nothing' })
  @ApiOkResponse({ type: VerificationDto })
  @ApiErrors(authErrors.TOKEN_INVALID, commonErrors.VALIDATION_FAILED)
  @ApiErrors(linkErrors.LINK_NOT_FOUND, linkErrors.LINK_EXPIRED, linkErrors.LINK_MAX_USES)
  async look(@Query() dto: VerifyEmailDto, @RequestLanguage() language: Language): Promise<VerificationDto> {
    const { token, join } = dto;
    if (join == null) {
      const { token: found, user } = await this.addresses.find(token);
      return verification(found.usedAt === null ? 'addressReady' : 'addressVerified', language, { email: user.email });
    }
    const found = await this.verification.look({ token, join });
    const { zone, pending } = found;
    const requiresApproval = waitsForOwner(found);
    const [before, afterwards] = requiresApproval
      ? (['readyToAsk', 'waiting'] as const)
      : (['ready', 'alreadyDone'] as const);
    const outcome = found.token.usedAt === null ? before : afterwards;
    return verification(outcome, language, { zoneName: zone.name, email: pending.email, requiresApproval });
  }

  @Post('verify-email')
  @Public()
  @HttpCode(200)
  @ApiOperation({ summary: 'Verify the address, and join what the link is about, if anything' })
  @ApiOkResponse({ type: VerificationDto })
  @ApiErrors(authErrors.TOKEN_INVALID, commonErrors.VALIDATION_FAILED, zoneErrors.ZONE_FULL)
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
      const { email } = (await this.addresses.complete(token)).user;
      const redirectUrl = viewer?.email === email ? '/' : null;
      return verification('addressVerified', language, { email, redirectUrl });
    }
    const done = await this.verification.complete({ token, join }, originOf(request));
    if (done.sid !== null) this.cookie.write(response, done.sid);
    return verification(this.verification.outcome(done), language, {
      redirectUrl: this.verification.redirectUrl(done, viewer),
      zoneName: done.zone.name,
      email: done.pending.email,
      requiresApproval: waitsForOwner(done),
    });
  }
}

function verification(
  outcome: keyof typeof joinSentences,
  language: Language,
  more: Partial<VerificationDto>,
): VerificationDto {
  const message = joinSentences[outcome][language];
  const nothing = { inviteToken: null, redirectUrl: null, zoneName: null, email: null, requiresApproval: false };
  return { success: true, message, ...nothing, ...more };
}
