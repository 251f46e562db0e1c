import { Body, Controller, Delete, Get, Patch, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags, IntersectionType } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiCreated, ApiNoContent, ApiPaginated } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { TimeZoneQueryDto } from '../../../platform/http/parsing/time-zone.dto.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { ZoneDto } from '../../zones/dto/zone.dto.js';
import { CurrentZone, ZoneAccess } from '../../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { ZoneListService } from '../../zones/zone/zone-list.service.js';
import { ZoneService } from '../../zones/zone/zone.service.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { LinkAnalyticsDto, LinkFiguresDto } from '../dto/link-analytics.dto.js';
import { CreateTemporaryLinkDto, TemporaryLinkDto, UpdateTemporaryLinkDto } from '../dto/temporary-link.dto.js';
import { LinkAnalyticsService, createAttemptsCsv } from '../analytics/link-analytics.service.js';
import { linkErrors } from '../links.errors.js';
import { TemporaryLinkListService } from './temporary-link-list.service.js';
import { TemporaryLinkService } from './temporary-link.service.js';

class LinkFiguresQueryDto extends IntersectionType(ListQueryDto, TimeZoneQueryDto) {}

/** Manages a zone's links, for its owner. */
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
  @ApiPaginated('List the temporary links of a zone, newest first', TemporaryLinkDto)
  list(@CurrentZone() zone: AccessibleZone, @Query() page: ListQueryDto): Promise<Page<TemporaryLinkDto>> {
    return this.lists.listForZone(zone.id, page);
  }

  @Get('zones/:id/temporary-links/analytics')
  @ZoneAccess('share')
  @ApiPaginated('List the temporary links of a zone with their statistics; at most 200 per page', LinkAnalyticsDto)
  withAnalytics(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Query() { timeZone: asked, ...page }: LinkFiguresQueryDto,
  ): Promise<Page<LinkAnalyticsDto>> {
    return this.analytics.listForZone(zone.id, { viewerId: userId, timeZone: asked }, page);
  }

  @Post('zones/:id/temporary-links')
  @ZoneAccess('share')
  @ApiCreated('Create a temporary link to a private zone', TemporaryLinkDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, linkErrors.ZONE_IS_PUBLIC, commonErrors.SERVER_BUSY)
  create(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() dto: CreateTemporaryLinkDto,
  ): Promise<TemporaryLinkDto> {
    return this.links.createLink(zone.id, userId, dto);
  }

  @Patch('temporary-links/:id')
  @SignedIn()
  @ApiJson('Change, pause or resume a temporary link; omitted fields are kept', TemporaryLinkDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, linkErrors.TEMPORARY_LINK_NOT_FOUND, linkErrors.ZONE_IS_PUBLIC)
  @ApiErrors(zoneErrors.ZONE_FORBIDDEN, commonErrors.SERVER_BUSY)
  update(
    @IdParam() id: number,
    @CurrentViewer() { userId }: Viewer,
    @Body() dto: UpdateTemporaryLinkDto,
  ): Promise<TemporaryLinkDto> {
    return this.links.updateLink(id, userId, dto);
  }

  @Delete('temporary-links/:id')
  @SignedIn()
  @ApiNoContent('Delete a temporary link and its statistics; its members stay')
  @ApiErrors(linkErrors.TEMPORARY_LINK_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN)
  delete(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.links.deleteLink(id, userId);
  }

  @Get('temporary-links/:id/usages.csv')
  @SignedIn()
  @ApiOperation({ summary: 'Export every attempt to join with a temporary link as CSV' })
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(linkErrors.TEMPORARY_LINK_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN)
  async export(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<StreamableFile> {
    const zoneId = await this.links.getManageableZoneId(id, userId);
    return createAttemptsCsv(this.analytics.streamAttempts(zoneId, id), `link-${id}`);
  }

  @Get('zones/:id/public-link/analytics')
  @ZoneAccess('share')
  @ApiJson("Get the statistics of a zone's public link", LinkFiguresDto)
  ofPublicLink(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Query() { timeZone: asked }: TimeZoneQueryDto,
  ): Promise<LinkFiguresDto> {
    return this.analytics.getForPublicLink(zone.id, { viewerId: userId, timeZone: asked });
  }

  @Get('zones/:id/public-link/usages.csv')
  @ZoneAccess('share')
  @ApiOperation({ summary: "Export every attempt to join with a zone's public link as CSV" })
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  exportPublic(@CurrentZone() zone: AccessibleZone): StreamableFile {
    return createAttemptsCsv(this.analytics.streamAttempts(zone.id, null), `zone-${zone.id}-link`);
  }

  @Post('zones/:id/public-link/regenerate')
  @ZoneAccess('share')
  @ApiJson("Replace a zone's public link; the old link stops working immediately", ZoneDto)
  @ApiErrors(linkErrors.ZONE_IS_PRIVATE)
  async regenerate(@CurrentZone() zone: AccessibleZone, @CurrentViewer() { userId }: Viewer): Promise<ZoneDto> {
    if (!(await this.zones.renewPublicLink(zone.id, userId))) throw linkErrors.ZONE_IS_PRIVATE();
    return this.zoneLists.findOne(zone.id, userId);
  }
}
