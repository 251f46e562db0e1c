import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import { LIST_LIMIT } from '../../platform/http/list.js';
import { ZoneMemberSchema } from '../zones/entities/zone-member.entity.js';
import { SuppressionSchema } from '../zones/entities/suppression.entity.js';
import { SuppressionService } from '../zones/suppression.service.js';
import { campaignErrors } from './campaigns.errors.js';
import type { SuppressedMemberDto } from './dto/report.dto.js';
import { RecipientService, type ZoneRef } from './recipient.service.js';

type Tables = typeof ZoneMemberSchema | typeof SuppressionSchema;

/** Members whom an owner's mails do not reach any more, and the way back for those who only failed. */
@Injectable()
export class SuppressedMembersService {
  constructor(
    private readonly em: EntityManager,
    private readonly recipients: RecipientService,
    private readonly suppressions: SuppressionService,
  ) {}

  /** By address; the first 1,000. */
  async list(zone: ZoneRef): Promise<SuppressedMemberDto[]> {
    const ids = await this.recipients.suppressedMembers(this.em, zone);
    if (ids.length === 0) return [];
    const members = await query<Tables>(this.em)
      .selectFrom('zone_members')
      .select(['user_id as userId', 'email'])
      .where('zone_id', '=', zone.id)
      .where('user_id', 'in', ids.slice(0, LIST_LIMIT))
      .orderBy('email')
      .execute();
    const byDigest = new Map(members.map((member) => [this.suppressions.digest(member.email), member]));
    const rows = await query<Tables>(this.em)
      .selectFrom('suppressions')
      .select(['digest', 'reason', 'created_at as since', sql<boolean>`owner_id is not null`.as('isOwn')])
      .where('digest', 'in', [...byDigest.keys()])
      .where(sql<number>`coalesce(owner_id, 0)`, 'in', [0, zone.ownerId])
      .execute();
    return rows.map(({ digest, reason, since, isOwn }) => ({
      ...byDigest.get(digest)!,
      reason,
      since,
      canLift: isOwn && reason === 'failed',
    }));
  }

  /** @throws SUPPRESSION_NOT_FOUND also for a complaint, which cannot be lifted */
  async lift(zone: ZoneRef, userId: number): Promise<void> {
    const member = await query<Tables>(this.em)
      .selectFrom('zone_members')
      .select('email')
      .where('zone_id', '=', zone.id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (!member || !(await this.suppressions.lift(this.em, zone.ownerId, member.email))) {
      throw campaignErrors.SUPPRESSION_NOT_FOUND();
    }
  }
}
