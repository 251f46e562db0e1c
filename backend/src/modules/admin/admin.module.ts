import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AccountModule } from '../account/account.module.js';
import { ActivityModule } from '../activity/activity.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { FilesModule } from '../files/files.module.js';
import { InsightsModule } from '../insights/insights.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { SuggestionsModule } from '../suggestions/suggestions.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { AppointmentService } from './users/appointment/appointment.service.js';
import { ExportService } from './export.service.js';
import { InstallationChanges } from './installation/installation-changes.service.js';
import { InstallationController } from './installation/installation.controller.js';
import { MailSettings } from './installation/mail/mail-settings.service.js';
import { AdminJobsController } from './jobs/admin-jobs.controller.js';
import { JobListService } from './jobs/job-list.service.js';
import { JobRepairService } from './jobs/job-repair.service.js';
import { ActivityLogService } from './logs/activity-log.service.js';
import { AdminLogsController } from './logs/admin-logs.controller.js';
import { AuditLogService } from './logs/audit-log.service.js';
import { StaffNews } from './news/staff-news.entity.js';
import { StaffNewsService } from './news/staff-news.service.js';
import { QuarantineListService } from './quarantine/quarantine-list.service.js';
import { QuarantineController } from './quarantine/quarantine.controller.js';
import { AdminSecurityController } from './security/admin-security.controller.js';
import { SecurityEvents } from './security/security-events.service.js';
import { SetupController } from './users/setup/setup.controller.js';
import { SetupService } from './users/setup/setup.service.js';
import { AdminSuggestionsController } from './suggestions/admin-suggestions.controller.js';
import { SuppressionListService } from './suppressions/suppression-list.service.js';
import { SuppressionsController } from './suppressions/suppressions.controller.js';
import { AdminOverviewController } from './system/admin-overview.controller.js';
import { SystemStateService } from './system/system-state.service.js';
import { AdminUsersController } from './users/admin-users.controller.js';
import { ConsentProofs } from './users/consent-proofs.service.js';
import { AccountInviter } from './users/invitation/account-inviter.service.js';
import { UserChangesService } from './users/user-changes.service.js';
import { UserDetailService } from './users/user-detail.service.js';
import { UserListService } from './users/user-list.service.js';
import { AdminZoneListService } from './zones/admin-zone-list.service.js';
import { AdminZonesController } from './zones/admin-zones.controller.js';
import { AccountInvitationMailer } from './users/invitation/account-invitation-mailer.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([StaffNews]),
    AccountModule,
    ActivityModule,
    AuthModule,
    FilesModule,
    InsightsModule,
    PlansModule,
    SuggestionsModule,
    ZonesModule,
  ],
  controllers: [
    AdminOverviewController,
    AdminUsersController,
    AdminZonesController,
    AdminLogsController,
    AdminSecurityController,
    SetupController,
    AdminJobsController,
    SuppressionsController,
    AdminSuggestionsController,
    QuarantineController,
    InstallationController,
  ],
  providers: [
    ...[AccountInviter, AccountInvitationMailer],
    ...[StaffNewsService],
    ActivityLogService,
    AppointmentService,
    AdminZoneListService,
    AuditLogService,
    ExportService,
    ...[InstallationChanges, MailSettings],
    JobListService,
    JobRepairService,
    QuarantineListService,
    SecurityEvents,
    SetupService,
    SuppressionListService,
    SystemStateService,
    ConsentProofs,
    UserChangesService,
    UserDetailService,
    UserListService,
  ],
})
export class AdminModule {}
