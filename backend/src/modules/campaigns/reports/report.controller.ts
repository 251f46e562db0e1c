import { Controller, Get, Header, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiList, sendPage } from '../../../platform/http/lists/list.js';
import { CampaignReportAccess, CurrentReport } from '../access/campaign-access.guard.js';
import { CampaignReportDto, DeliveryQueryDto, DeliveryDto } from '../dto/report.dto.js';
import { ReportRepository } from './report.repository.js';
import { ReportService } from './report.service.js';
import { streamCsvFile } from '../../../platform/http/lists/csv-file.js';
import { displayedLastName } from '../../auth/entities/user.entity.js';

@ApiTags('campaigns')
@Controller('api/campaigns/:id')
export class ReportController {
  constructor(
    private readonly reports: ReportService,
    private readonly reportRepository: ReportRepository,
  ) {}

  @Get('report')
  @CampaignReportAccess()
  @ApiOperation({ summary: 'Get the report of a campaign: deliveries, failures with reasons, opens and clicks' })
  @ApiOkResponse({ type: CampaignReportDto })
  report(@CurrentReport() id: number): Promise<CampaignReportDto> {
    return this.reports.getReport(id);
  }

  @Get('deliveries')
  @CampaignReportAccess()
  @ApiList()
  @ApiOperation({ summary: 'List the recipients of a campaign, optionally by state' })
  @ApiOkResponse({ type: [DeliveryDto] })
  async deliveries(
    @CurrentReport() id: number,
    @Query() query: DeliveryQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeliveryDto[]> {
    return sendPage(response, await this.reportRepository.findDeliveries(id, query));
  }

  @Get('report.csv')
  @CampaignReportAccess()
  @ApiProduces('text/csv')
  @ApiOperation({ summary: 'Export the recipients of a campaign as a CSV file' })
  @ApiOkResponse({
    description: 'UTF-8 with a byte order mark',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  @Header('Cache-Control', 'private, no-store')
  csv(@CurrentReport() id: number): StreamableFile {
    return toDeliveriesCsv(id, this.reportRepository.streamDeliveries(id));
  }
}

export function toDeliveriesCsv(campaignId: number, rows: AsyncIterable<DeliveryDto>): StreamableFile {
  return streamCsvFile(
    `campaign-${campaignId}`,
    {
      email: (row) => row.email,
      firstName: (row) => row.firstName,
      lastName: displayedLastName,
      state: (row) => row.state,
      sentAt: (row) => row.sentAt,
      openedAt: (row) => row.openedAt,
      clickedAt: (row) => row.clickedAt,
      smtpCode: (row) => row.smtpCode,
      reason: (row) => row.reason,
    },
    rows,
  );
}
