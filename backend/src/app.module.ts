import { Module, type DynamicModule } from '@nestjs/common';
import { AccountModule } from './modules/account/account.module.js';
import { ActivityModule } from './modules/activity/activity.module.js';
import { AdminModule } from './modules/admin/admin.module.js';
import { AuthModule } from './modules/auth/auth.module.js';
import { BillingModule } from './modules/billing/billing.module.js';
import { CampaignsModule } from './modules/campaigns/campaigns.module.js';
import { FilesModule } from './modules/files/files.module.js';
import { InsightsModule } from './modules/insights/insights.module.js';
import { IntegrationsModule } from './modules/integrations/integrations.module.js';
import { LinksModule } from './modules/links/links.module.js';
import { MirrorsModule } from './modules/mirrors/mirrors.module.js';
import { PlansModule } from './modules/plans/plans.module.js';
import { RetentionModule } from './modules/retention/retention.module.js';
import { SiteModule } from './modules/site/site.module.js';
import { SuggestionsModule } from './modules/suggestions/suggestions.module.js';
import { ZonesModule } from './modules/zones/zones.module.js';
import { AuditModule } from './platform/audit/audit.module.js';
import { ClockModule } from './platform/clock/clock.module.js';
import type { AppConfig } from './platform/config/app-config.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { DatabaseConnection } from './platform/database/pool/database-connection.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { RenderingModule } from './platform/rendering/rendering.module.js';
import { EventsModule } from './platform/events/events.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { InstancesModule } from './platform/health/instances/instances.module.js';
import { InstallationModule } from './platform/installation/installation.module.js';
import { JobsModule } from './platform/jobs/jobs.module.js';
import { EmailModule } from './platform/email/email.module.js';
import { NotificationThrottleModule } from './platform/notification-throttle/notification-throttle.module.js';
import { StorageModule } from './platform/storage/storage.module.js';
import { SecurityEventsModule } from './platform/security-events/security-events.module.js';

/**
 * The application: the platform, then the modules in dependency order. Each may use the platform and the modules above
 * it.
 */
@Module({})
export class AppModule {
  static with(config: AppConfig, connection: DatabaseConnection): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        ClockModule,
        DatabaseModule.with(connection),
        InstallationModule,
        InstancesModule,
        HttpModule,
        JobsModule.with(config),
        EventsModule,
        EmailModule,
        NotificationThrottleModule,
        StorageModule,
        RenderingModule,
        AuditModule,
        HealthModule,
        SecurityEventsModule,
        AuthModule,
        ActivityModule,
        PlansModule,
        ZonesModule,
        FilesModule,
        MirrorsModule,
        LinksModule,
        CampaignsModule,
        BillingModule,
        IntegrationsModule,
        SuggestionsModule,
        InsightsModule,
        SiteModule,
        AccountModule,
        AdminModule,
        RetentionModule,
      ],
    };
  }
}
