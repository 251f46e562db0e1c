import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { InsightsModule } from '../insights/insights.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { SuggestionsModule } from '../suggestions/suggestions.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { ExportService } from './export.service.js';
import { AdminJobsController } from './jobs/admin-jobs.controller.js';
import { JobListService } from './jobs/job-list.service.js';
import { JobRepairService } from './jobs/job-repair.service.js';
import { ActivityLogService } from './logs/activity-log.service.js';
import { AdminLogsController } from './logs/admin-logs.controller.js';
import { AuditLogService } from './logs/audit-log.service.js';
import { AdminSuggestionsController } from './suggestions/admin-suggestions.controller.js';
import { SuppressionListService } from './suppressions/suppression-list.service.js';
import { SuppressionsController } from './suppressions/suppressions.controller.js';
import { AdminOverviewController } from './system/admin-overview.controller.js';
import { SystemStateService } from './system/system-state.service.js';
import { AdminUsersController } from './users/admin-users.controller.js';
import { UserChangesService } from './users/user-changes.service.js';
import { UserDetailService } from './users/user-detail.service.js';
import { UserListService } from './users/user-list.service.js';
import { AdminZoneListService } from './zones/admin-zone-list.service.js';
import { AdminZonesController } from './zones/admin-zones.controller.js';

@Module({
  imports: [ActivityModule, AuthModule, InsightsModule, PlansModule, SuggestionsModule, ZonesModule],
  controllers: [
    AdminOverviewController,
    AdminUsersController,
    AdminZonesController,
    AdminLogsController,
    AdminJobsController,
    SuppressionsController,
    AdminSuggestionsController,
  ],
  providers: [
    ActivityLogService,
    AdminZoneListService,
    AuditLogService,
    ExportService,
    JobListService,
    JobRepairService,
    SuppressionListService,
    SystemStateService,
    UserChangesService,
    UserDetailService,
    UserListService,
  ],
})
export class AdminModule {}
