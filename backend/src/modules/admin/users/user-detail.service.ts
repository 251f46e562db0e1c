import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { hasFactorSql } from '../../auth/mfa/mfa.sql.js';
import { BillingAccountSchema } from '../../billing/entities/billing-account.entity.js';
import { PlanService } from '../../plans/plan.service.js';
import { UsageReportService } from '../../plans/usage-report.service.js';
import { canOpenStripe } from '../admin.policy.js';
import type { AdminUserDetailDto } from '../dto/admin-user.dto.js';
import { UserListService } from './user-list.service.js';

/** One user for administrators: the account and its statistics, but none of its content. */
@Injectable()
export class UserDetailService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly list: UserListService,
    private readonly plans: PlanService,
    private readonly usage: UsageReportService,
    private readonly config: AppConfig,
  ) {}

  /** @throws USER_NOT_FOUND */
  async getDetail(id: number, viewer: Viewer): Promise<AdminUserDetailDto> {
    const user = await this.list.getUser(id, viewer);
    const { subscribedPlan, grantedPlan, limits } = await this.plans.getOwnerPlan(id);
    return {
      ...user,
      ...(await this.getCounts(id)),
      ...(await this.getBilling(id, viewer)),
      subscribedPlan,
      grantedPlan,
      invitesADay: limits.invites,
      usage: await this.usage.getUsage(id),
    };
  }

  private async getBilling(
    id: number,
    viewer: Viewer,
  ): Promise<Pick<AdminUserDetailDto, 'subscription' | 'stripeUrl'>> {
    const row = await query<typeof UserSchema | typeof BillingAccountSchema>(this.em)
      .selectFrom('users as u')
      .leftJoin('billing_accounts as b', 'b.user_id', 'u.id')
      .select(['u.stripe_customer_id as customerId', 'u.stripe_subscription_id as subscriptionId'])
      .select(['u.subscription_status as status', 'b.interval as interval', 'b.amount as amount'])
      .select(['b.currency as currency', 'b.current_period_end as currentPeriodEnd'])
      .select(['b.cancel_at_period_end as cancelAtPeriodEnd', 'b.past_due_since as pastDueSince'])
      .where('u.id', '=', id)
      .executeTakeFirstOrThrow();
    const { customerId, subscriptionId, cancelAtPeriodEnd, ...subscription } = row;
    const mode = this.config.stripe.secretKey?.includes('_test_') ? 'test/' : '';
    return {
      subscription: subscriptionId ? { ...subscription, cancelAtPeriodEnd: cancelAtPeriodEnd ?? false } : null,
      stripeUrl:
        customerId && canOpenStripe(viewer)
          ? `https://dashboard.stripe.com/${mode}customers/${encodeURIComponent(customerId)}`
          : null,
    };
  }

  private getCounts(id: number) {
    const open = sql`from sessions s where s.user_id = u.id and s.expire > ${this.clock.now()}`;
    return query<typeof UserSchema>(this.em)
      .selectFrom('users as u')
      .select(['u.language as language', 'u.time_zone as timeZone'])
      .select(sql<boolean>`u.stripe_subscription_id is not null`.as('hasSubscription'))
      .select(sql<boolean>`${sql.raw(hasFactorSql)}`.as('hasFactor'))
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
