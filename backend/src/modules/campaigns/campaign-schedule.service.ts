import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { AppError } from '../../platform/errors/app-error.js';
import { fieldError } from '../../platform/http/validation.js';
import { isTimeZone } from '../../platform/clock/time-zone.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { User } from '../auth/entities/user.entity.js';
import { campaignAbilities } from './campaign.policy.js';
import { CampaignSendingService } from './campaign-sending.service.js';
import { assertSeen, CampaignService } from './campaign.service.js';
import { campaignErrors } from './campaigns.errors.js';
import type { ScheduleDto } from './dto/campaign.dto.js';
import { CampaignSchema, type CampaignFailure } from './entities/campaign.entity.js';
import { RecipientService } from './recipient.service.js';
import { notATime, scheduledInstant } from './schedule-time.js';
import { startScheduled } from './start-scheduled.job.js';
import { tellCampaignFailed } from './tell-campaign-failed.job.js';

/** How far ahead a campaign may be scheduled: beyond that it is a slip of the keyboard. */
const FURTHEST = 730 * DAY;

/** Campaigns that start by themselves. Nothing is charged before that. */
@Injectable()
export class CampaignScheduleService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly campaigns: CampaignService,
    private readonly sending: CampaignSendingService,
    private readonly recipients: RecipientService,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Has a draft start at a time.
   * @throws CAMPAIGN_NOT_DRAFT, CAMPAIGN_CHANGED, VALIDATION_FAILED for what is no time, no time zone, past, or further than two years
   */
  async schedule(id: number, { scheduledAt, timeZone, updatedAt }: ScheduleDto): Promise<void> {
    if (!isTimeZone(timeZone)) throw fieldError('timeZone', noZone);
    const at = scheduledInstant(scheduledAt, timeZone);
    if (!at) throw fieldError('scheduledAt', notATime);
    if (at <= this.clock.now()) throw fieldError('scheduledAt', isPast);
    if (at > after(this.clock.now(), FURTHEST)) throw fieldError('scheduledAt', isTooFar);
    await inTransaction(this.em, async (em) => {
      const campaign = await this.campaigns.lock(em, id);
      if (!campaignAbilities(campaign).schedule) throw campaignErrors.CAMPAIGN_NOT_DRAFT();
      assertSeen(campaign, updatedAt);
      em.assign(campaign, { status: 'scheduled', scheduledAt: at, timeZone, updatedAt: this.clock.now() });
      await em.flush();
      await this.jobs.enqueue(em, startScheduled, { campaignId: id }, { runAt: at });
    });
  }

  /** Makes a draft of it again. @throws CAMPAIGN_STATE */
  async unschedule(id: number): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const campaign = await this.campaigns.lock(em, id);
      if (!campaignAbilities(campaign).unschedule) throw campaignErrors.CAMPAIGN_STATE();
      em.assign(campaign, { status: 'draft', scheduledAt: null, timeZone: null, updatedAt: this.clock.now() });
    });
  }

  /**
   * Starts a campaign whose time has come; does nothing for any other. What keeps it from starting (the quota, nobody
   * to write to, an owner who is shut out) makes it failed, and the owner is told.
   */
  async start(id: number): Promise<void> {
    const due = await this.due(id);
    if (!due) return;
    const suppressed = await this.recipients.suppressedMembers(this.em, { id: due.zoneId, ownerId: due.sentById });
    try {
      await inTransaction(this.em.fork(), async (em) => {
        const campaign = await this.campaigns.lock(em, id);
        if (!this.isDue(campaign)) return;
        const owner = await em.findOneOrFail(User, { id: campaign.sentById });
        if (owner.deactivatedAt) throw new NotStarted('OWNER_DEACTIVATED');
        await this.sending.begin(em, campaign, suppressed);
      });
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      await this.fail(id, failure);
    }
  }

  /** Starts all campaigns whose time has come, should their own jobs have been lost. */
  async startDue(): Promise<void> {
    const rows = await query<typeof CampaignSchema>(this.em)
      .selectFrom('campaigns')
      .select('id')
      .where('status', '=', 'scheduled')
      .where('scheduled_at', '<=', this.clock.now())
      .orderBy('id')
      .execute();
    for (const { id } of rows) await this.start(id);
  }

  private async due(id: number) {
    const row = await query<typeof CampaignSchema>(this.em)
      .selectFrom('campaigns')
      .select(['zone_id as zoneId', 'sent_by_id as sentById', 'status', 'scheduled_at as scheduledAt'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row && this.isDue(row) ? row : null;
  }

  private isDue({ status, scheduledAt }: { status: string; scheduledAt?: Date | string | null }): boolean {
    return status === 'scheduled' && scheduledAt != null && new Date(scheduledAt) <= this.clock.now();
  }

  private fail(id: number, failure: CampaignFailure): Promise<void> {
    return inTransaction(this.em.fork(), async (em) => {
      const campaign = await this.campaigns.lock(em, id);
      if (!this.isDue(campaign)) return;
      em.assign(campaign, { status: 'failed', failure, updatedAt: this.clock.now() });
      await em.flush();
      if (failure !== 'OWNER_DEACTIVATED') await this.jobs.enqueue(em, tellCampaignFailed, { campaignId: id });
    });
  }
}

class NotStarted extends Error {
  constructor(readonly failure: CampaignFailure) {
    super(failure);
  }
}

function failureOf(error: unknown): CampaignFailure | null {
  if (error instanceof NotStarted) return error.failure;
  if (!(error instanceof AppError)) return null;
  if (error.code === 'PLAN_LIMIT') return 'PLAN_LIMIT';
  return error.code === 'NO_MEMBERS' || error.code === 'NO_RECIPIENTS' ? 'NO_RECIPIENTS' : null;
}

const noZone = { en: 'Please choose a time zone', tr: 'Lütfen bir saat dilimi seçin' };
const isTooFar = {
  en: 'Please choose a time within the next two years',
  tr: 'Lütfen önümüzdeki iki yıl içinde bir zaman seçin',
};
const isPast = { en: 'Please choose a time in the future', tr: 'Lütfen gelecekte bir zaman seçin' };
