import { Controller, Get, Header, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags, IntersectionType } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { ApiList, ListQueryDto, sendPage } from '../../platform/http/lists/list.js';
import type { Viewer } from '../../platform/http/parsing/viewer.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { AnalyticsService } from './analytics.service.js';
import {
  AnalyticsQueryDto,
  AnalyticsSeriesDto,
  FileFiguresDto,
  SeriesQueryDto,
  ZoneFiguresDto,
} from './dto/analytics.dto.js';
import { createDaysCsv, createZonesCsv } from './insights-csv.js';

class ZonesQueryDto extends IntersectionType(AnalyticsQueryDto, ListQueryDto) {}

/** Statistics of zones that the viewer owns. */
@ApiTags('insights')
@Controller('api/analytics')
export class AnalyticsController {
  constructor(private readonly analytics: AnalyticsService) {}

  @Get('series')
  @SignedIn()
  @ApiOperation({ summary: 'Get views, downloads, joins, leaves and storage over time, for all your zones or one' })
  @ApiOkResponse({ type: AnalyticsSeriesDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.ZONE_NOT_FOUND)
  series(@CurrentViewer() { userId }: Viewer, @Query() asked: SeriesQueryDto): Promise<AnalyticsSeriesDto> {
    return this.analytics.getSeries(userId, asked);
  }

  @Get('series.csv')
  @SignedIn()
  @Header('Content-Type', 'text/csv; charset=utf-8')
  @ApiOperation({ summary: 'Export the daily figures as CSV' })
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.ZONE_NOT_FOUND)
  async seriesAsCsv(@CurrentViewer() { userId }: Viewer, @Query() asked: SeriesQueryDto): Promise<StreamableFile> {
    return createDaysCsv((await this.analytics.getDays({ ownerId: userId, zoneId: asked.zoneId }, asked)).days);
  }

  @Get('files')
  @SignedIn()
  @ApiOperation({ summary: 'Get the files that members read most, and those that nobody opened, in all zones or one' })
  @ApiOkResponse({ type: FileFiguresDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.ZONE_NOT_FOUND)
  files(@CurrentViewer() { userId }: Viewer, @Query() asked: SeriesQueryDto): Promise<FileFiguresDto> {
    return this.analytics.getFileFigures(userId, asked);
  }

  @Get('zones')
  @SignedIn()
  @ApiList()
  @ApiOperation({ summary: 'List your zones with their content and their activity in the given period' })
  @ApiOkResponse({ type: [ZoneFiguresDto] })
  async zones(
    @CurrentViewer() { userId }: Viewer,
    @Query() asked: ZonesQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ZoneFiguresDto[]> {
    return sendPage(response, await this.analytics.listZoneFigures(userId, asked, asked));
  }

  @Get('zones.csv')
  @SignedIn()
  @Header('Content-Type', 'text/csv; charset=utf-8')
  @ApiOperation({ summary: 'Export the figures by zone as CSV, up to 1,000 zones' })
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async zonesAsCsv(@CurrentViewer() { userId }: Viewer, @Query() asked: AnalyticsQueryDto): Promise<StreamableFile> {
    return createZonesCsv((await this.analytics.listZoneFigures(userId, asked, {})).items);
  }
}
