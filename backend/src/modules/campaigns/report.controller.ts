import { pipeline } from 'node:stream/promises';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiList, sendPage } from '../../platform/http/list.js';
import { CampaignAccess, CurrentCampaign, type ViewedCampaign } from './campaign-access.guard.js';
import { CampaignReportDto, DeliveryDto, DeliveryQueryDto } from './dto/report.dto.js';
import { deliveriesAsCsv } from './deliveries-csv.js';
import { ReportService } from './report.service.js';

@ApiTags('campaigns')
@Controller('api/campaigns/:id')
export class ReportController {
  constructor(private readonly reports: ReportService) {}

  @Get('report')
  @CampaignAccess()
  @ApiOperation({ summary: 'What came of a campaign: delivered, failed and why, openings and clicks' })
  @ApiOkResponse({ type: CampaignReportDto })
  report(@CurrentCampaign() { id }: ViewedCampaign): Promise<CampaignReportDto> {
    return this.reports.report(id);
  }

  @Get('deliveries')
  @CampaignAccess()
  @ApiList()
  @ApiOperation({ summary: 'The recipients of a campaign one by one, all or those in a state' })
  @ApiOkResponse({ type: [DeliveryDto] })
  async deliveries(
    @CurrentCampaign() { id }: ViewedCampaign,
    @Query() query: DeliveryQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeliveryDto[]> {
    return sendPage(response, await this.reports.deliveries(id, query));
  }

  @Get('report.csv')
  @CampaignAccess()
  @ApiProduces('text/csv')
  @ApiOperation({ summary: 'The recipients of a campaign as a CSV file' })
  @ApiOkResponse({
    description: 'UTF-8 with a byte order mark',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  async csv(@CurrentCampaign() { id }: ViewedCampaign, @Res() response: Response): Promise<void> {
    response.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="campaign-${id}.csv"`,
      'Cache-Control': 'private, no-store',
    });
    // A fault in the middle ends the connection without the end of the body, so that nobody takes it for the whole.
    await pipeline(deliveriesAsCsv(this.reports.allDeliveries(id)), response).catch(() => response.destroy());
  }
}
