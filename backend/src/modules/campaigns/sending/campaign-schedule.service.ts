import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { isTimeZone } from '../../../platform/clock/time-zone.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError, type LocalizedText } from '../../../platform/errors/app-error.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { assertAbility, assertUnchanged } from '../access/campaign.policy.js';
import { CampaignRepository } from '../campaign.repository.js';
import type { ScheduleDto } from '../dto/campaign.dto.js';
import type { CampaignFailure } from '../entities/campaign.entity.js';
import { RecipientService } from '../audience/recipient.service.js';
import { startScheduledCampaign, notifyCampaignFailed } from '../campaigns.jobs.js';
import { CampaignSendingService } from './campaign-sending.service.js';

/** How far ahead a campaign can be scheduled; anything beyond is probably a typo. */
const MAX_SCHEDULE_AHEAD = 730 * DAY;

/** Schedules campaigns. Quota is charged only when a campaign starts. */
@Injectable()
export class CampaignScheduleService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly users: UserRepository,
    private readonly campaigns: CampaignRepository,
    private readonly sending: CampaignSendingService,
    private readonly recipients: RecipientService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Schedules a draft, or a scheduled campaign that could not start.
   * @throws CAMPAIGN_NOT_DRAFT, CAMPAIGN_CHANGED; VALIDATION_FAILED for an invalid time or time zone, or a time in the
   * past or more than two years ahead
   */
  async schedule(id: number, { scheduledAt, timeZone, updatedAt }: ScheduleDto): Promise<void> {
    if (!isTimeZone(timeZone)) throw fieldError('timeZone', timeZoneMissing);
    const at = toScheduledInstant(scheduledAt, timeZone);
    if (!at) throw fieldError('scheduledAt', invalidTime);
    if (at <= this.clock.now()) throw fieldError('scheduledAt', inThePast);
    if (at > addMilliseconds(this.clock.now(), MAX_SCHEDULE_AHEAD)) throw fieldError('scheduledAt', tooFarAhead);
    await inTransaction(this.em, async (em) => {
      const campaign = await this.campaigns.lockCampaign(em, id);
      assertAbility(campaign, 'schedule');
      assertUnchanged(campaign, updatedAt);
      const schedule = { scheduledAt: at, timeZone, failure: null, updatedAt: this.clock.now() };
      await this.campaigns.updateCampaign(em, campaign, { status: 'scheduled', ...schedule });
      await this.jobs.enqueue(em, startScheduledCampaign, { campaignId: id }, { runAt: at });
    });
  }

  /**
   * Turns a scheduled campaign back into a draft.
   * @throws CAMPAIGN_STATE
   */
  async unschedule(id: number): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const campaign = await this.campaigns.lockCampaign(em, id);
      assertAbility(campaign, 'unschedule');
      const schedule = { scheduledAt: null, timeZone: null, updatedAt: this.clock.now() };
      await this.campaigns.updateCampaign(em, campaign, { status: 'draft', ...schedule });
    });
  }

  /**
   * Starts a campaign that is due; does nothing for any other. If it can't start (quota, no recipients, deactivated
   * owner), it is marked as failed and the owner is notified. Campaigns deleted on their own or with their zone are
   * ignored.
   */
  @OnJob(startScheduledCampaign)
  async startScheduledCampaign({ campaignId: id }: { campaignId: number }): Promise<void> {
    const due = await this.campaigns.findSchedule(id);
    if (!due || !this.isDue(due)) return;
    const suppressed = await this.recipients.findSuppressedMemberIds(this.em, {
      id: due.zoneId,
      ownerId: due.sentById,
    });
    try {
      await inTransaction(this.em.fork(), async (em) => {
        const campaign = await this.campaigns.lockCampaign(em, id);
        if (!campaign || !this.isDue(campaign)) return;
        const owner = await this.users.getUserIn(em, campaign.sentById);
        if (owner.deactivatedAt) throw new CampaignNotStartedError('OWNER_DEACTIVATED');
        await this.sending.startSending(em, campaign, suppressed);
      });
    } catch (error) {
      if (error instanceof AppError && error.code === 'CAMPAIGN_NOT_FOUND') return;
      const failure = failureOf(error);
      if (!failure) throw error;
      await this.recordFailure(id, failure);
    }
  }

  /** Starts all campaigns that are due, in case their own jobs were lost. */
  async startDueCampaigns(): Promise<void> {
    const ids = await this.campaigns.findDueIds();
    await forEachIsolated(ids, (campaignId) => this.startScheduledCampaign({ campaignId }));
  }

  private isDue({ status, scheduledAt }: { status: string; scheduledAt?: Date | string | null }): boolean {
    return status === 'scheduled' && scheduledAt != null && new Date(scheduledAt) <= this.clock.now();
  }

  private recordFailure(id: number, failure: CampaignFailure): Promise<void> {
    return inTransaction(this.em.fork(), async (em) => {
      const campaign = await this.campaigns.lockCampaign(em, id);
      if (!campaign || !this.isDue(campaign)) return;
      const changes = { failure, updatedAt: this.clock.now() };
      await this.campaigns.updateCampaign(em, campaign, { status: 'failed', ...changes });
      if (failure !== 'OWNER_DEACTIVATED') await this.jobs.enqueue(em, notifyCampaignFailed, { campaignId: id });
    });
  }
}

class CampaignNotStartedError extends Error {
  constructor(readonly failure: CampaignFailure) {
    super(failure);
  }
}

function failureOf(error: unknown): CampaignFailure | null {
  if (error instanceof CampaignNotStartedError) return error.failure;
  if (!(error instanceof AppError)) return null;
  if (error.code === 'PLAN_LIMIT') return 'PLAN_LIMIT';
  return error.code === 'NO_MEMBERS' || error.code === 'NO_RECIPIENTS' ? 'NO_RECIPIENTS' : null;
}

const timeZoneMissing = { en: 'Please choose a time zone', tr: 'Lütfen bir saat dilimi seçin' };
const tooFarAhead = {
  en: 'Please choose a time within the next two years',
  tr: 'Lütfen önümüzdeki iki yıl içinde bir zaman seçin',
};

const inThePast = { en: 'Please choose a time in the future', tr: 'Lütfen gelecekte bir zaman seçin' };

const WALL_CLOCK = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d))?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/;

export const invalidTime: LocalizedText = {
  en: 'Invalid date/time selected. Please check your inputs.',
  tr: 'Geçersiz tarih/saat seçildi. Lütfen girdilerinizi kontrol edin.',
};

/**
 * Resolves the instant of a schedule. With an offset or Z it is that instant; without, it is local time in the time
 * zone. A local time skipped by daylight saving is moved one hour later; of an ambiguous one, the first occurrence is
 * used.
 * @param timeZone IANA name
 * @returns null if it is not a valid date and time
 */
export function toScheduledInstant(text: string, timeZone: string): Date | null {
  if (INSTANT.test(text)) return assertValidDate(new Date(text));
  const [, year, month, day, hour, minute, second = '0'] = WALL_CLOCK.exec(text) ?? [];
  if (year === undefined) return null;
  const fields = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const wall = Date.UTC(fields[0], fields[1] - 1, ...(fields.slice(2) as [number, number, number, number]));
  const back = new Date(wall);
  const isReal = back.getUTCMonth() === fields[1] - 1 && back.getUTCDate() === fields[2] && fields[3] < 24;
  if (!isReal || fields[4] > 59 || fields[5] > 59) return null;
  // Uses the offsets before and after a possible change. In a gap neither matches, and the earlier offset gives the
  // later time.
  const before = timeZoneOffset(wall - 24 * 3_600_000, timeZone);
  const later = timeZoneOffset(wall + 24 * 3_600_000, timeZone);
  const candidates = [wall - before, wall - later].filter((at) => at + timeZoneOffset(at, timeZone) === wall);
  return new Date(candidates.length > 0 ? Math.min(...candidates) : wall - before);
}

function assertValidDate(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Returns the offset of the time zone from UTC at an instant, in milliseconds. */
function timeZoneOffset(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const shown = Date.UTC(parts.year!, parts.month! - 1, parts.day!, parts.hour!, parts.minute!, parts.second!);
  return shown - Math.floor(at / 1000) * 1000;
}
