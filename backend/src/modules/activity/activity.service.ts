import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../platform/clock/clock.js';
import type { Language } from '../../platform/errors/app-error.js';
import { OnJob } from '../../platform/jobs/on-job.decorator.js';
import { fullName } from '../auth/entities/user.entity.js';
import { formatActivityMessage, activityTypes } from './activity.messages.js';
import type { ActivityEntry, ActivityType } from './activity.events.js';
import { ActivityRepository } from './activity.repository.js';
import { purgeViewings } from './activity.jobs.js';

/** An activity entry for display. */
export interface ActivityItem {
  readonly id: number;
  readonly type: ActivityType;
  readonly message: string;
  readonly createdAt: string;
  /** Address of the acting user; null if unknown or deleted. */
  readonly userEmail: string | null;
}

/** The append-only activity log, and the counters derived from it. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly activity: ActivityRepository,
    private readonly clock: Clock,
  ) {}

  /** Appends entries, in the transaction of `em`, so that they commit together with what they describe. */
  record(em: EntityManager, ...entries: ActivityEntry[]): Promise<void> {
    return this.activity.insertEntries(em, entries);
  }

  /** Returns the latest activity in the zones of an owner with message texts, newest first. */
  async listLatestForOwner(ownerId: number, limit: number, language: Language): Promise<ActivityItem[]> {
    const rows = await this.activity.listLatestForOwner(ownerId, limit);
    return rows.map((row) => {
      return {
        id: Number(row.id),
        type: row.type,
        message: formatActivityMessage(row.type, row.params, fullName(row) || row.email, language),
        createdAt: new Date(row.createdAt).toISOString(),
        userEmail: row.email,
      };
    });
  }

  get types(): readonly ActivityType[] {
    return activityTypes;
  }

  /**
   * Returns the message text of an activity entry.
   * @param actorName name or address of the acting user; null if they no longer exist
   */
  formatMessage(
    type: ActivityType,
    params: Record<string, string>,
    actorName: string | null,
    language: Language,
  ): string {
    return formatActivityMessage(type, params, actorName, language);
  }

  @OnJob(purgeViewings)
  async purgeViewings(): Promise<void> {
    await this.activity.deleteViewingsBefore(addMilliseconds(this.clock.now(), -DAY));
  }
}
