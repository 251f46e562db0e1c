import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { Viewer } from '../../../platform/http/viewer.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { PlanService } from '../../plans/plan.service.js';
import { UsageReportService } from '../../plans/usage-report.service.js';
import type { AdminUserDetailDto } from '../dto/admin-user.dto.js';
import { UserListService } from './user-list.service.js';

/** One person, as administrators see them: the account and its figures, and nothing of what it holds. */
@Injectable()
export class UserDetailService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly list: UserListService,
    private readonly plans: PlanService,
    private readonly usage: UsageReportService,
  ) {}

  /** @throws USER_NOT_FOUND */
  async of(id: number, viewer: Viewer): Promise<AdminUserDetailDto> {
    const user = await this.list.one(id, viewer);
    const { subscribedPlan, grantedPlan } = await this.plans.find(id);
    return { ...user, ...(await this.figures(id)), subscribedPlan, grantedPlan, usage: await this.usage.of(id) };
  }

  private figures(id: number) {
    const open = sql`from sessions s where s.user_id = u.id and s.expire > ${this.clock.now()}`;
    return query<typeof UserSchema>(this.em)
      .selectFrom('users as u')
      .select(['u.language as language', 'u.time_zone as timeZone'])
      .select(sql<boolean>`u.stripe_subscription_id is not null`.as('hasSubscription'))
      .select(sql<number>`(select count(*)::int ${open})`.as('sessions'))
      .select(sql<Date | null>`(select max(s.last_seen_at) from sessions s where s.user_id = u.id)`.as('lastSeenAt'))
      .select(
        sql<number>`(select count(*)::int from zone_members m where m.user_id = u.id and m.role <> 'owner')`.as(
          'memberships',
        ),
      )
      .where('u.id', '=', id)
      .executeTakeFirstOrThrow();
  }
}
