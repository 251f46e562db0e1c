import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { CampaignAccessGuard, CampaignReportGuard } from './access/campaign-access.guard.js';
import { CampaignRepository } from './campaign.repository.js';
import { CampaignListService } from './drafts/campaign-list.service.js';
import { CampaignScheduleService } from './sending/campaign-schedule.service.js';
import { CampaignSendingService } from './sending/campaign-sending.service.js';
import { CampaignPreviewService } from './drafts/campaign-preview.service.js';
import { CampaignService } from './drafts/campaign.service.js';
import { CampaignCleanupService } from './sending/campaign-cleanup.service.js';
import { CampaignsController } from './drafts/campaigns.controller.js';
import { DeliveryMetrics } from './reports/delivery-metrics.js';
import { EmailQuotaRepository } from './quota/email-quota.repository.js';
import { EmailQuotaService } from './quota/email-quota.service.js';
import { CampaignStateService } from './engine/campaign-state.service.js';
import { CampaignEngineService } from './engine/campaign-engine.service.js';
import { CampaignWorker } from './engine/campaign-worker.js';
import { DeliveryRepository } from './engine/delivery.repository.js';
import { CampaignStateRepository } from './engine/campaign-state.repository.js';
import { DeliveryConfig } from './engine/delivery.policy.js';
import { SendRateRepository } from './engine/send-rate.repository.js';
import { CampaignEventTotal, CampaignEvent } from './entities/campaign-event.entity.js';
import { Campaign } from './entities/campaign.entity.js';
import { DeliveryWorker, Delivery, SendRate } from './entities/delivery.entity.js';
import { EmailTemplate } from './entities/email-template.entity.js';
import { ZoneMailSettings } from './entities/zone-mail-settings.entity.js';
import { LiftSuppressionsController, MailSettingsController } from './reply-to/mail-settings.controller.js';
import { MailEventsController } from './mail-events/mail-events.controller.js';
import { MailEventsService } from './mail-events/mail-events.service.js';
import { MailSettingsRepository } from './reply-to/mail-settings.repository.js';
import { MailSettingsService } from './reply-to/mail-settings.service.js';
import { parsePreviewForm } from './drafts/preview-form.js';
import { RecipientRepository } from './audience/recipient.repository.js';
import { RecipientService } from './audience/recipient.service.js';
import { CampaignRendererService } from './rendering/campaign-renderer.service.js';
import { ReplyToController } from './reply-to/reply-to.controller.js';
import { ReplyToVerificationService } from './reply-to/reply-to-verification.service.js';
import { ReportController } from './reports/report.controller.js';
import { ReportRepository } from './reports/report.repository.js';
import { ReportService } from './reports/report.service.js';
import { SendingController } from './sending/sending.controller.js';
import { TemplateRepository } from './drafts/template.repository.js';
import { TemplateService } from './drafts/template.service.js';
import { TemplatesController } from './drafts/templates.controller.js';
import { TrackingController } from './tracking/tracking.controller.js';
import { TrackingRepository } from './tracking/tracking.repository.js';
import { TrackingService } from './tracking/tracking.service.js';
import { WelcomeService } from './welcome/welcome.service.js';
import { ZoneCampaignsController } from './drafts/zone-campaigns.controller.js';
import { CampaignNotificationMailer } from './sending/campaign-notification-mailer.js';
import { TestEmailService } from './drafts/test-email.service.js';
import { ReplyToMailer } from './reply-to/reply-to-mailer.js';

const entities = [
  Campaign,
  Delivery,
  CampaignEvent,
  CampaignEventTotal,
  DeliveryWorker,
  SendRate,
  EmailTemplate,
  ZoneMailSettings,
];

@Module({
  imports: [MikroOrmModule.forFeature(entities), AuthModule, PlansModule, ZonesModule],
  controllers: [
    CampaignsController,
    LiftSuppressionsController,
    MailEventsController,
    MailSettingsController,
    ReplyToController,
    ReportController,
    SendingController,
    TemplatesController,
    TrackingController,
    ZoneCampaignsController,
  ],
  providers: [
    CampaignAccessGuard,
    CampaignReportGuard,
    CampaignRepository,
    CampaignStateRepository,
    CampaignStateService,
    CampaignCleanupService,
    CampaignEngineService,
    CampaignListService,
    CampaignRendererService,
    CampaignScheduleService,
    CampaignSendingService,
    CampaignService,
    CampaignPreviewService,
    CampaignWorker,
    DeliveryMetrics,
    DeliveryRepository,
    DeliveryConfig,
    EmailQuotaRepository,
    EmailQuotaService,
    MailEventsService,
    MailSettingsRepository,
    MailSettingsService,
    RecipientRepository,
    RecipientService,
    ReplyToVerificationService,
    ReportRepository,
    ReportService,
    SendRateRepository,
    ReplyToMailer,
    TestEmailService,
    CampaignNotificationMailer,
    TemplateRepository,
    TemplateService,
    TrackingRepository,
    TrackingService,
    WelcomeService,
  ],
  exports: [CampaignCleanupService],
})
export class CampaignsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(parsePreviewForm())
      .forRoutes({ path: 'api/zones/:id/campaigns/preview', method: RequestMethod.POST });
  }
}
