import { Injectable } from '@nestjs/common';
import { CampaignListService } from '../drafts/campaign-list.service.js';
import type { CampaignReportDto } from '../dto/report.dto.js';
import { ReportRepository } from './report.repository.js';

/** Provides reports of campaigns. */
@Injectable()
export class ReportService {
  constructor(
    private readonly campaigns: CampaignListService,
    private readonly reports: ReportRepository,
  ) {}

  /** @throws CAMPAIGN_NOT_FOUND */
  async getReport(campaignId: number): Promise<CampaignReportDto> {
    const campaign = await this.campaigns.getCampaign(campaignId);
    const progress = await this.campaigns.getProgress(campaignId);
    const { name, subject, startedAt, sentAt, trackingEnabled } = campaign;
    return {
      ...progress,
      name,
      subject,
      startedAt,
      sentAt,
      trackingEnabled,
      failures: await this.reports.countFailures(campaignId),
      links: await this.reports.countLinkClicks(campaignId),
      overTime: await this.reports.countOverTime(campaignId),
      machineEvents: await this.reports.countMachineEvents(campaignId),
    };
  }
}
