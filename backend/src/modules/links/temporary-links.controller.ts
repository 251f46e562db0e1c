import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Patch,
  Post,
  Query,
  Res,
  StreamableFile,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { IdParam } from '../../platform/http/id.pipe.js';
import { ApiList, ListQueryDto, sendPage } from '../../platform/http/list.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { ZoneDto } from '../zones/dto/zone.dto.js';
import { CurrentZone, ZoneAccess } from '../zones/zone-access.guard.js';
import type { ViewedZone } from '../zones/zone-access.service.js';
import { ZoneListService } from '../zones/zone-list.service.js';
import { ZoneService } from '../zones/zone.service.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { LinkAnalyticsDto, LinkFiguresDto } from './dto/link-analytics.dto.js';
import { CreateTemporaryLinkDto, TemporaryLinkDto, UpdateTemporaryLinkDto } from './dto/temporary-link.dto.js';
import { LinkAnalyticsService } from './link-analytics.service.js';
import { linkErrors } from './links.errors.js';
import { TemporaryLinkListService } from './temporary-link-list.service.js';
import { TemporaryLinkService } from './temporary-link.service.js';
import { usagesAsCsv } from './usages-csv.js';

/** The links of a zone, for its owner. */
@ApiTags('links')
@Controller('api')
export class TemporaryLinksController {
  constructor(
    private readonly links: TemporaryLinkService,
    private readonly lists: TemporaryLinkListService,
    private readonly analytics: LinkAnalyticsService,
    private readonly zones: ZoneService,
    private readonly zoneLists: ZoneListService,
  ) {}

  @Get('zones/:id/temporary-links')
  @ZoneAccess('share')
  @ApiList()
  @ApiOperation({ summary: 'The temporary links of a zone, the newest first' })
  @ApiOkResponse({ type: [TemporaryLinkDto] })
  async list(
    @CurrentZone() zone: ViewedZone,
    @Query() page: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TemporaryLinkDto[]> {
    return sendPage(response, await this.lists.ofZone(zone.id, page));
  }

  @Get('zones/:id/temporary-links/analytics')
  @ZoneAccess('share')
  @ApiList()
  @ApiOperation({ summary: 'The temporary links of a zone and what came of them; at most 200 a page' })
  @ApiOkResponse({ type: [LinkAnalyticsDto] })
  async withAnalytics(
    @CurrentZone() zone: ViewedZone,
    @CurrentViewer() { userId }: Viewer,
    @Query() page: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LinkAnalyticsDto[]> {
    return sendPage(response, await this.analytics.ofZone(zone.id, userId, page));
  }

  @Post('zones/:id/temporary-links')
  @ZoneAccess('share')
  @ApiOperation({ summary: 'Make a temporary link to a private zone' })
  @ApiCreatedResponse({ type: TemporaryLinkDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, linkErrors.ZONE_IS_PUBLIC)
  create(
    @CurrentZone() zone: ViewedZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() dto: CreateTemporaryLinkDto,
  ): Promise<TemporaryLinkDto> {
    return this.links.create(zone.id, userId, dto);
  }

  @Patch('temporary-links/:id')
  @SignedIn()
  @ApiOperation({ summary: 'Change, pause or resume a temporary link; what is left out stays' })
  @ApiOkResponse({ type: TemporaryLinkDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, linkErrors.TEMPORARY_LINK_NOT_FOUND, linkErrors.ZONE_IS_PUBLIC)
  @ApiErrors(zoneErrors.ZONE_FORBIDDEN)
  update(
    @IdParam() id: number,
    @CurrentViewer() { userId }: Viewer,
    @Body() dto: UpdateTemporaryLinkDto,
  ): Promise<TemporaryLinkDto> {
    return this.links.update(id, userId, dto);
  }

  @Delete('temporary-links/:id')
  @SignedIn()
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a temporary link and its figures; its members stay' })
  @ApiNoContentResponse()
  @ApiErrors(linkErrors.TEMPORARY_LINK_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN)
  delete(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.links.delete(id, userId);
  }

  @Get('temporary-links/:id/usages.csv')
  @SignedIn()
  @Header('Content-Type', 'text/csv; charset=utf-8')
  @ApiOperation({ summary: 'Every try to join by a temporary link, as CSV' })
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(linkErrors.TEMPORARY_LINK_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN)
  async export(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<StreamableFile> {
    const zoneId = await this.links.zoneToManage(id, userId);
    return usagesAsCsv(this.analytics.usages(zoneId, id), `link-${id}.csv`);
  }

  @Get('zones/:id/public-link/analytics')
  @ZoneAccess('share')
  @ApiOperation({ summary: 'What came of the public link of a zone' })
  @ApiOkResponse({ type: LinkFiguresDto })
  ofPublicLink(@CurrentZone() zone: ViewedZone, @CurrentViewer() { userId }: Viewer): Promise<LinkFiguresDto> {
    return this.analytics.ofPublicLink(zone.id, userId);
  }

  @Get('zones/:id/public-link/usages.csv')
  @ZoneAccess('share')
  @Header('Content-Type', 'text/csv; charset=utf-8')
  @ApiOperation({ summary: 'Every try to join by the public link of a zone, as CSV' })
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  exportPublic(@CurrentZone() zone: ViewedZone): StreamableFile {
    return usagesAsCsv(this.analytics.usages(zone.id, null), `zone-${zone.id}-link.csv`);
  }

  @Post('zones/:id/public-link/regenerate')
  @ZoneAccess('share')
  @HttpCode(200)
  @ApiOperation({ summary: 'Give a public zone a new link; the old one leads nowhere from now on' })
  @ApiOkResponse({ type: ZoneDto })
  @ApiErrors(linkErrors.ZONE_IS_PRIVATE)
  async regenerate(@CurrentZone() zone: ViewedZone, @CurrentViewer() { userId }: Viewer): Promise<ZoneDto> {
    if (!(await this.zones.renewPublicLink(zone.id, userId))) throw linkErrors.ZONE_IS_PRIVATE();
    return this.zoneLists.one(zone.id, userId);
  }
}
