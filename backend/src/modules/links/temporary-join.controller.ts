import { Body, Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock } from '../../platform/clock/clock.js';
import type { Language } from '../../platform/errors/app-error.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { OptionalViewer, Public } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { RequestLanguage } from '../../platform/http/language.js';
import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import { originOf } from '../auth/session-cookie.service.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { consentText } from '../zones/consent.policy.js';
import { JoinAnswerDto, JoinByTemporaryLinkDto } from './dto/join.dto.js';
import { TemporaryLinkInfoDto } from './dto/temporary-link.dto.js';
import { joinAnswer } from './join-answer.js';
import { JoinService } from './join.service.js';
import { LinkEntryService } from './link-entry.service.js';
import { linkErrors } from './links.errors.js';
import { TemporaryLinkListService } from './temporary-link-list.service.js';

/** Temporary links, for whoever holds one. */
@ApiTags('links')
@Controller('api/temporary-links/:token')
export class TemporaryJoinController {
  constructor(
    private readonly clock: Clock,
    private readonly lists: TemporaryLinkListService,
    private readonly ways: LinkEntryService,
    private readonly joins: JoinService,
  ) {}

  @Get()
  @Public()
  @ApiOperation({ summary: 'The zone behind a temporary link; with a password before it, only whose and which' })
  @ApiOkResponse({ type: TemporaryLinkInfoDto })
  @ApiErrors(linkErrors.LINK_NOT_FOUND, linkErrors.LINK_EXPIRED, linkErrors.LINK_MAX_USES)
  async info(@Param('token') token: string, @RequestLanguage() language: Language): Promise<TemporaryLinkInfoDto> {
    const link = await this.lists.byToken(token);
    await this.ways.check({ zoneId: link.zoneId, linkId: link.id, publicLink: null, askedAt: this.clock.now() });
    const hidden = link.password !== null;
    return {
      zoneName: link.zoneName,
      zoneDescription: hidden ? null : link.zoneDescription,
      expiresAt: new Date(link.expiresAt),
      remainingUses: link.maxUses === null ? null : link.maxUses - link.currentUses,
      fileCount: hidden ? null : link.fileCount,
      memberCount: hidden ? null : link.memberCount,
      owner: { firstName: link.ownerFirstName, lastName: link.ownerLastName },
      // The link is the owner's word: nobody is asked again.
      autoJoin: true,
      requiresEmailOptin: link.requiresEmailOptin,
      requiresPassword: hidden,
      membershipDays: link.membershipDays,
      consentText: consentText[language],
    };
  }

  @Post('join')
  @Public()
  @HttpCode(200)
  @ApiOperation({ summary: 'Join a private zone by a temporary link' })
  @ApiOkResponse({ type: JoinAnswerDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, linkErrors.CONSENT_REQUIRED, linkErrors.LINK_PASSWORD_WRONG)
  @ApiErrors(linkErrors.LINK_NOT_FOUND, linkErrors.LINK_EXPIRED, linkErrors.LINK_MAX_USES, linkErrors.ALREADY_MEMBER)
  @ApiErrors(zoneErrors.ZONE_FULL, commonErrors.TOO_MANY_REQUESTS)
  async join(
    @Param('token') token: string,
    @Body() dto: JoinByTemporaryLinkDto,
    @OptionalViewer() viewer: Viewer | null,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<JoinAnswerDto> {
    const link = await this.lists.byToken(token);
    const { zoneId: id, ownerId, requiresEmailOptin } = link;
    const entrance = { zone: { id, ownerId, requiresEmailOptin }, link, publicLink: null };
    const outcome = await this.joins.join(entrance, { ...dto, ...originOf(request), language }, viewer);
    return joinAnswer(outcome, id, language);
  }
}
