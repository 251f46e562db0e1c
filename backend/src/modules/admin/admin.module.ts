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
import { SuperAdminBootstrapService } from './users/super-admin-bootstrap/super-admin-bootstrap.service.js';
import { ListExportService } from './list-export.service.js';
import { InstallationService } from './installation/installation.service.js';
import { InstallationController } from './installation/installation.controller.js';
import { MailServerSettingsService } from './installation/mail/mail-server-settings.service.js';
import { AdminJobsController } from './jobs/admin-jobs.controller.js';
import { CronJobListService } from './jobs/cron-job-list.service.js';
import { JobListRepository } from './jobs/job-list.repository.js';
import { JobRepairService } from './jobs/job-repair.service.js';
import { ActivityLogRepository } from './logs/activity-log.repository.js';
import { ActivityLogService } from './logs/activity-log.service.js';
import { AdminLogsController } from './logs/admin-logs.controller.js';
import { AuditLogRepository } from './logs/audit-log.repository.js';
import { AdminDigest } from './digest/admin-digest.entity.js';
import { AdminDigestRepository } from './digest/admin-digest.repository.js';
import { AdminDigestService } from './digest/admin-digest.service.js';
import { QuarantineAdminService } from './quarantine/quarantine-admin.service.js';
import { QuarantineListRepository } from './quarantine/quarantine-list.repository.js';
import { QuarantineController } from './quarantine/quarantine.controller.js';
import { AdminSecurityController } from './security/admin-security.controller.js';
import { SecurityDayService } from './security/security-day.service.js';
import { SecurityEventListRepository } from './security/security-event-list.repository.js';
import { SetupController } from './users/setup/setup.controller.js';
import { SetupService } from './users/setup/setup.service.js';
import { AdminSuggestionsController } from './suggestions/admin-suggestions.controller.js';
import { SuppressionAdminRepository } from './suppressions/suppression-admin.repository.js';
import { SuppressionAdminService } from './suppressions/suppression-admin.service.js';
import { SuppressionsController } from './suppressions/suppressions.controller.js';
import { AdminOverviewController } from './system/admin-overview.controller.js';
import { SystemStateRepository } from './system/system-state.repository.js';
import { SystemStateService } from './system/system-state.service.js';
import { AdminUsersController } from './users/admin-users.controller.js';
import { AdminUserRepository } from './users/admin-user.repository.js';
import { ConsentProofRepository } from './users/consent-proof.repository.js';
import { ConsentProofService } from './users/consent-proof.service.js';
import { AccountInvitationService } from './users/invitation/account-invitation.service.js';
import { UserAdminService } from './users/user-admin.service.js';
import { UserDetailService } from './users/user-detail.service.js';
import { UserListService } from './users/user-list.service.js';
import { AdminZoneListService } from './zones/admin-zone-list.service.js';
import { AdminZoneRepository } from './zones/admin-zone.repository.js';
import { AdminZonesController } from './zones/admin-zones.controller.js';
import { AccountInvitationMailer } from './users/invitation/account-invitation-mailer.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([AdminDigest]),
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
    AccountInvitationService,
    AccountInvitationMailer,
    AdminDigestRepository,
    AdminDigestService,
    ActivityLogRepository,
    ActivityLogService,
    SuperAdminBootstrapService,
    AdminZoneListService,
    AdminZoneRepository,
    AuditLogRepository,
    ListExportService,
    InstallationService,
    MailServerSettingsService,
    CronJobListService,
    JobListRepository,
    JobRepairService,
    QuarantineAdminService,
    QuarantineListRepository,
    SecurityDayService,
    SecurityEventListRepository,
    SetupService,
    SuppressionAdminRepository,
    SuppressionAdminService,
    SystemStateRepository,
    SystemStateService,
    AdminUserRepository,
    ConsentProofRepository,
    ConsentProofService,
    UserAdminService,
    UserDetailService,
    UserListService,
  ],
})
export class AdminModule {}
