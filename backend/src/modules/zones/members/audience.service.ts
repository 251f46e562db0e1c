import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { UsageService } from '../../plans/usage.service.js';
import { ZoneStatsRepository } from '../zone/zone-stats.repository.js';
import type { MembershipZone } from '../zones.events.js';
import { AudienceRepository, type AudiencePerson, type JoinContext } from './audience.repository.js';

/** Counts people who join and leave: in the owner's audience, the zone's counters and the owner's plan usage. */
@Injectable()
export class AudienceService {
  constructor(
    private readonly audience: AudienceRepository,
    private readonly zoneStats: ZoneStatsRepository,
    private readonly usage: UsageService,
  ) {}

  /**
   * Counts people who join a zone, in one statement that locks the contended rows: the audience, the zone's counters
   * and, last, the owner's usage. Call it last, because the rows stay locked until the commit.
   * @throws PLAN_LIMIT of the owner; not for people whose invitation was already counted
   */
  async addPeople(
    em: EntityManager,
    zone: MembershipZone,
    people: readonly AudiencePerson[],
    context: JoinContext = {},
  ): Promise<void> {
    const { ownerId } = zone;
    const counted = await this.usage.addCountedUsage<{ removed_count: number; added_count: number }>(
      em,
      { ownerId, metric: 'people' },
      this.audience.addPeopleSql(zone, people, context),
    );
    const [removedCount, addedCount] = [Number(counted.removed_count), Number(counted.added_count)];
    if (removedCount > 0) await this.audience.deleteEmptyRows(em, ownerId, context.invitedEmails ?? []);
    if (removedCount > addedCount) await this.usage.releaseUsage(em, ownerId, 'people', removedCount - addedCount);
  }

  /** Removes people who leave a zone from the counters, in the same lock order and equally late in the transaction. */
  async removePeople(em: EntityManager, zone: MembershipZone, emails: readonly string[]): Promise<void> {
    const removedCount = await this.audience.decrementMemberships(em, zone.ownerId, emails);
    await this.zoneStats.adjustCounts(em, zone.id, { members: -emails.length });
    if (removedCount > 0) await this.usage.releaseUsage(em, zone.ownerId, 'people', removedCount);
  }
}
