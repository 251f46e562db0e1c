import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { OptionalViewer, Public } from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { RequireProofOfWork } from '../../../platform/http/networks/proof-of-work.decorator.js';
import { NetworkLimit } from '../../../platform/http/networks/network-limit.decorator.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../../auth/sessions/session-cookie.service.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { JoinAnswerDto, JoinByTemporaryLinkDto, toJoinAnswer } from '../dto/join.dto.js';
import { TemporaryLinkInfoDto } from '../dto/temporary-link.dto.js';
import { JOIN_RATE, JoinService } from './join.service.js';
import { LinkPreviewService } from '../link-preview.service.js';
import { linkErrors } from '../links.errors.js';

/** Temporary links, for visitors. */
@ApiTags('links')
@Controller('api/temporary-links/:token')
export class TemporaryJoinController {
  constructor(
    private readonly previews: LinkPreviewService,
    private readonly joins: JoinService,
  ) {}

  @Get()
  @Public()
  @ApiJson(
    "Get the zone behind a temporary link; password-protected links only show the zone's name and owner",
    TemporaryLinkInfoDto,
  )
  @ApiErrors(linkErrors.LINK_NOT_FOUND, linkErrors.LINK_EXPIRED, linkErrors.LINK_MAX_USES)
  info(@Param('token') token: string, @RequestLanguage() language: Language): Promise<TemporaryLinkInfoDto> {
    return this.previews.previewTemporaryLink(token, language);
  }

  @Post('join')
  @Public()
  @RequireProofOfWork('join')
  @NetworkLimit(JOIN_RATE)
  @ApiJson('Join a private zone with a temporary link', JoinAnswerDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, linkErrors.CONSENT_REQUIRED, linkErrors.LINK_PASSWORD_WRONG)
  @ApiErrors(linkErrors.LINK_NOT_FOUND, linkErrors.LINK_EXPIRED, linkErrors.LINK_MAX_USES, linkErrors.ALREADY_MEMBER)
  @ApiErrors(linkErrors.LINK_ALREADY_USED)
  @ApiErrors(zoneErrors.ZONE_FULL, commonErrors.TOO_MANY_REQUESTS, commonErrors.SERVER_BUSY)
  async join(
    @Param('token') token: string,
    @Body() dto: JoinByTemporaryLinkDto,
    @OptionalViewer() viewer: Viewer | null,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<JoinAnswerDto> {
    const input = { ...dto, ...getSessionOrigin(request), language };
    return toJoinAnswer(await this.joins.joinByTemporaryLink(token, input, viewer), language);
  }
}
