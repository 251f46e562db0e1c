import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { CampaignAccessGuard } from './campaign-access.guard.js';
import { CampaignListService } from './campaign-list.service.js';
import { CampaignScheduleService } from './campaign-schedule.service.js';
import { CampaignSendingService } from './campaign-sending.service.js';
import { CampaignTestService } from './campaign-test.service.js';
import { CampaignService } from './campaign.service.js';
import { CampaignEnds } from './campaign-ends.service.js';
import { CampaignsController } from './campaigns.controller.js';
import { CampaignsPersonalData } from './campaigns-personal-data.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliverCampaignHandler } from './deliver-campaign.handler.js';
import { EmailQuotaService } from './email-quota.service.js';
import { CampaignCompletion } from './engine/campaign-completion.service.js';
import { CampaignEngine } from './engine/campaign-engine.service.js';
import { CampaignWorker } from './engine/campaign-worker.js';
import { DeliveryStore } from './engine/delivery-store.js';
import { DeliveryTimings } from './engine/delivery-timings.js';
import { SendRateService } from './engine/send-rate.service.js';
import { CampaignEvent } from './entities/campaign-event.entity.js';
import { Campaign } from './entities/campaign.entity.js';
import { DeliveryWorker } from './entities/delivery-worker.entity.js';
import { Delivery } from './entities/delivery.entity.js';
import { EmailTemplate } from './entities/email-template.entity.js';
import { SendRate } from './entities/send-rate.entity.js';
import { ZoneMailSettings } from './entities/zone-mail-settings.entity.js';
import { KeepQuotasHandler } from './keep-quotas.handler.js';
import { MailEventsController } from './mail-events.controller.js';
import { MailEventsService } from './mail-events.service.js';
import { MailSettingsController } from './mail-settings.controller.js';
import { MailSettingsService } from './mail-settings.service.js';
import { readPreviewForm } from './preview-form.js';
import { RecipientService } from './recipient.service.js';
import { CampaignMails } from './rendering/campaign-mail.service.js';
import { ReportController } from './report.controller.js';
import { ReportService } from './report.service.js';
import { SendTestMailHandler } from './send-test-mail.handler.js';
import { SendingController } from './sending.controller.js';
import { StartScheduledHandler } from './start-scheduled.handler.js';
import { SuppressedMembersService } from './suppressed-members.service.js';
import { SweepCampaignsHandler } from './sweep-campaigns.handler.js';
import { TellCampaignFailedHandler } from './tell-campaign-failed.handler.js';
import { TemplateService } from './template.service.js';
import { TemplatesController } from './templates.controller.js';
import { TrackingController } from './tracking.controller.js';
import { TrackingService } from './tracking.service.js';
import { WelcomeMembersHandler } from './welcome-member.handler.js';
import { WelcomeService } from './welcome.service.js';
import { ZoneCampaignsController } from './zone-campaigns.controller.js';

const entities = [
  ...[Campaign, Delivery, CampaignEvent, DeliveryWorker],
  ...[SendRate, EmailTemplate, ZoneMailSettings],
];

@Module({
  imports: [MikroOrmModule.forFeature(entities), AuthModule, PlansModule, ZonesModule],
  controllers: [
    CampaignsController,
    MailEventsController,
    MailSettingsController,
    ReportController,
    SendingController,
    TemplatesController,
    TrackingController,
    ZoneCampaignsController,
  ],
  providers: [
    CampaignAccessGuard,
    CampaignCompletion,
    CampaignEnds,
    CampaignEngine,
    CampaignListService,
    CampaignMails,
    CampaignScheduleService,
    CampaignSendingService,
    CampaignService,
    CampaignsPersonalData,
    CampaignTestService,
    CampaignWorker,
    DeliverCampaignHandler,
    DeliveryMetrics,
    DeliveryStore,
    DeliveryTimings,
    EmailQuotaService,
    KeepQuotasHandler,
    MailEventsService,
    MailSettingsService,
    RecipientService,
    ReportService,
    SendRateService,
    SendTestMailHandler,
    StartScheduledHandler,
    SuppressedMembersService,
    SweepCampaignsHandler,
    TellCampaignFailedHandler,
    TemplateService,
    TrackingService,
    WelcomeMembersHandler,
    WelcomeService,
  ],
})
export class CampaignsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(readPreviewForm())
      .forRoutes({ path: 'api/zones/:id/campaigns/preview', method: RequestMethod.POST });
  }
}
