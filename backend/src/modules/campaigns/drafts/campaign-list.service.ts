import { Injectable } from '@nestjs/common';
import { toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { MailStateRepository } from '../../../platform/email/mail-state.repository.js';
import { campaignAbilities } from '../access/campaign.policy.js';
import { CampaignRepository, type CampaignRow } from '../campaign.repository.js';
import { campaignErrors } from '../campaigns.errors.js';
import type { CampaignDto, CampaignSummaryDto, SendingProgressDto } from '../dto/campaign.dto.js';
import { toPlainText } from '../shared/plain-text.js';

/** Lists campaigns for their owner, with one query per list. */
@Injectable()
export class CampaignListService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly mailState: MailStateRepository,
  ) {}

  /** Lists the campaigns of all zones of an owner, newest first. */
  listByOwner(ownerId: number, page: ListQueryDto): Promise<Page<CampaignSummaryDto>> {
    return this.list({ ownerId }, page);
  }

  /** Lists the campaigns of a zone, newest first. */
  listByZone(zoneId: number, page: ListQueryDto): Promise<Page<CampaignSummaryDto>> {
    return this.list({ zoneId }, page);
  }

  /**
   * Returns a campaign with its content.
   * @throws CAMPAIGN_NOT_FOUND
   */
  async getCampaign(id: number): Promise<CampaignDto> {
    const row = await this.campaigns.findCampaign(id);
    if (!row) throw campaignErrors.CAMPAIGN_NOT_FOUND();
    const { htmlContent, textContent, ...summary } = row;
    return { ...toSummary(summary), message: textContent ?? toPlainText(htmlContent).trim(), htmlContent, textContent };
  }

  /**
   * Returns the sending progress, read from a single row.
   * @throws CAMPAIGN_NOT_FOUND
   */
  async getProgress(id: number): Promise<SendingProgressDto> {
    const row = await this.campaigns.findProgress(id);
    if (!row) throw campaignErrors.CAMPAIGN_NOT_FOUND();
    const isSending = row.status === 'sending' && countPending(row) > 0;
    const { refusingSince } = isSending ? await this.mailState.getState() : { refusingSince: null };
    return { ...row, pendingCount: countPending(row), mailServerRefusingSince: refusingSince };
  }

  private async list(
    of: { ownerId: number } | { zoneId: number },
    page: ListQueryDto,
  ): Promise<Page<CampaignSummaryDto>> {
    const { rows, limit, total } = await this.campaigns.findPage(of, page);
    return toPage(rows.map(toSummary), limit, total, ({ createdAt, id }) => [createdAt.toISOString(), id]);
  }
}

type Counts = Pick<
  CampaignRow,
  'recipientCount' | 'deliveredCount' | 'keptCount' | 'failedCount' | 'skippedCount' | 'cancelledCount'
>;

function toSummary(row: CampaignRow): CampaignSummaryDto {
  return { ...row, pendingCount: countPending(row), can: campaignAbilities(row) };
}

function countPending(row: Counts): number {
  const ended = row.deliveredCount + row.keptCount + row.failedCount + row.skippedCount + row.cancelledCount;
  return row.recipientCount - ended;
}
