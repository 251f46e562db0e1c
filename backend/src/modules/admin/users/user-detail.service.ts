import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { PlanService } from '../../plans/plan.service.js';
import { UsageReportService } from '../../plans/usage-report.service.js';
import { canOpenStripe } from '../admin.policy.js';
import type { AdminUserDetailDto } from '../dto/admin-user.dto.js';
import { AdminUserRepository } from './admin-user.repository.js';
import { UserListService } from './user-list.service.js';

/** One user for administrators: the account and its statistics, but none of its content. */
@Injectable()
export class UserDetailService {
  constructor(
    private readonly users: AdminUserRepository,
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
      ...(await this.users.getFigures(id)),
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
    const row = await this.users.getSubscription(id);
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
}
