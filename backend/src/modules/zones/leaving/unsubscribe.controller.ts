import { Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Language } from '../../../platform/errors/app-error.js';
import { AllowCrossSite, Public } from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiNoContent } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { Consumes } from '../../../platform/http/parsing/body-type.guard.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../../auth/sessions/session-cookie.service.js';
import { UnsubscribeInfoDto } from '../dto/leaving.dto.js';
import { LeavingService } from './leaving.service.js';
import { UnsubscribeLinkService } from './unsubscribe-link.service.js';
import { UnsubscribeService } from './unsubscribe.service.js';
import { zoneErrors } from '../zones.errors.js';

/** Unsubscribe links of emails to members. The token identifies the person and the zone, so no session is needed. */
@ApiTags('unsubscribe')
@Controller('api/unsubscribe')
export class UnsubscribeController {
  constructor(
    private readonly unsubscribes: UnsubscribeService,
    private readonly leaving: LeavingService,
    private readonly links: UnsubscribeLinkService,
  ) {}

  @Get('info/:token')
  @Public()
  @ApiJson("Get a person's membership and email state in a zone; changes nothing", UnsubscribeInfoDto)
  @ApiErrors(zoneErrors.UNSUBSCRIBE_LINK_INVALID)
  info(@Param('token') token: string, @RequestLanguage() language: Language): Promise<UnsubscribeInfoDto> {
    return this.unsubscribes.getInfo(this.unsubscribes.parseToken(token), language);
  }

  @Get(':token')
  @Public()
  @ApiOperation({ summary: 'Redirect to the page; changes nothing, because email scanners follow links' })
  @ApiFoundResponse({ description: 'The page for leaving the zone' })
  @ApiErrors(zoneErrors.UNSUBSCRIBE_LINK_INVALID)
  page(@Param('token') token: string, @Req() request: AppRequest, @Res() response: Response): void {
    const link = this.links.parseToken(token);
    // Browsers are redirected to a page that explains an invalid link; programs get the error.
    const isPerson = request.accepts(['json', 'html']) === 'html';
    if (!link && isPerson) return response.redirect(302, this.links.invalidTokenPageUrl(token));
    response.redirect(302, this.links.pageUrl(link ?? this.unsubscribes.parseToken(token)));
  }

  @Post(':token')
  @Public()
  @AllowCrossSite()
  @ApiJson('Leave the zone, from the page or with one-click unsubscribe (RFC 8058)', UnsubscribeInfoDto)
  @Consumes('application/x-www-form-urlencoded', 'multipart/form-data', 'application/json')
  @ApiErrors(zoneErrors.UNSUBSCRIBE_LINK_INVALID)
  async leave(@Param('token') token: string, @RequestLanguage() language: Language): Promise<UnsubscribeInfoDto> {
    const link = this.unsubscribes.parseToken(token);
    await this.leaving.leaveByLink(link);
    return this.unsubscribes.getInfo(link, language);
  }

  @Post(':token/undo')
  @Public()
  @ApiJson('Undo leaving a zone through an email; possible for 30 days', UnsubscribeInfoDto)
  @ApiErrors(zoneErrors.UNSUBSCRIBE_LINK_INVALID, zoneErrors.UNDO_TOO_LATE, zoneErrors.ZONE_FULL)
  async undo(@Param('token') token: string, @RequestLanguage() language: Language): Promise<UnsubscribeInfoDto> {
    const link = this.unsubscribes.parseToken(token);
    await this.leaving.undoLeaveByLink(link);
    return this.unsubscribes.getInfo(link, language);
  }

  @Post(':token/consent')
  @Public()
  @ApiJson("Agree to receive the zone's emails", UnsubscribeInfoDto)
  @ApiErrors(zoneErrors.UNSUBSCRIBE_LINK_INVALID, zoneErrors.ZONE_NOT_FOUND)
  async agree(
    @Param('token') token: string,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<UnsubscribeInfoDto> {
    const link = this.unsubscribes.parseToken(token);
    await this.unsubscribes.giveConsent(link, { ipAddress: getSessionOrigin(request).ipAddress, language }, 'mail');
    return this.unsubscribes.getInfo(link, language);
  }

  @Delete(':token/consent')
  @Public()
  @ApiNoContent('Stop receiving emails without leaving the zone, where allowed')
  @ApiErrors(zoneErrors.UNSUBSCRIBE_LINK_INVALID, zoneErrors.ZONE_NOT_FOUND, zoneErrors.MAILS_BELONG_TO_ZONE)
  refuse(@Param('token') token: string): Promise<void> {
    return this.unsubscribes.withdrawConsent(this.unsubscribes.parseToken(token));
  }
}
