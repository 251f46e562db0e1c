import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, RequestMethod, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { CampaignAccessGuard, CampaignReportGuard } from './access/campaign-access.guard.js';
import { CampaignListService } from './writing/campaign-list.service.js';
import { CampaignScheduleService } from './sending/campaign-schedule.service.js';
import { CampaignSendingService } from './sending/campaign-sending.service.js';
import { CampaignPreviews } from './writing/campaign-preview.service.js';
import { CampaignService } from './writing/campaign.service.js';
import { CampaignEnds } from './sending/campaign-ends.service.js';
import { CampaignsController } from './writing/campaigns.controller.js';
import { DeliveryMetrics } from './reports/delivery-metrics.js';
import { EmailQuotaService } from './quota/email-quota.service.js';
import { CampaignStates } from './engine/campaign-states.service.js';
import { CampaignEngine } from './engine/campaign-engine.service.js';
import { CampaignWorker } from './engine/campaign-worker.js';
import { DeliveryStore } from './engine/delivery-store.js';
import { DeliveryTimings, SendingPace } from './engine/sending-pace.service.js';
import { CampaignEventTotal, CampaignEvent } from './entities/campaign-event.entity.js';
import { Campaign } from './entities/campaign.entity.js';
import { DeliveryWorker, Delivery, SendRate } from './entities/delivery.entity.js';
import { EmailTemplate } from './entities/email-template.entity.js';
import { ZoneMailSettings } from './entities/zone-mail-settings.entity.js';
import { LiftSuppressionsController, MailSettingsController } from './reply-to/mail-settings.controller.js';
import { MailEventsController } from './mail-events/mail-events.controller.js';
import { MailEventsService } from './mail-events/mail-events.service.js';
import { MailSettingsService } from './reply-to/mail-settings.service.js';
import { readPreviewForm } from './writing/preview-form.js';
import { RecipientService } from './audience/recipient.service.js';
import { WronglySilenced } from './audience/wrongly-silenced.service.js';
import { CampaignMails } from './rendering/campaign-mail.service.js';
import { ReplyToController } from './reply-to/reply-to.controller.js';
import { ReplyToProof } from './reply-to/reply-to-proof.service.js';
import { ReportController } from './reports/report.controller.js';
import { ReportService } from './reports/report.service.js';
import { SendingController } from './sending/sending.controller.js';
import { TemplateService } from './writing/template.service.js';
import { TemplatesController } from './writing/templates.controller.js';
import { TrackingController } from './tracking/tracking.controller.js';
import { TrackingService } from './tracking/tracking.service.js';
import { WelcomeService } from './welcome/welcome.service.js';
import { ZoneCampaignsController } from './writing/zone-campaigns.controller.js';
import { OwnerMailer } from './sending/owner-mailer.js';
import { TestMailer } from './writing/test-mailer.service.js';
import { ReplyToMailer } from './reply-to/reply-to-mailer.js';

const entities = [
  ...[Campaign, Delivery, CampaignEvent, CampaignEventTotal, DeliveryWorker],
  ...[SendRate, EmailTemplate, ZoneMailSettings],
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
    CampaignStates,
    CampaignEnds,
    CampaignEngine,
    CampaignListService,
    CampaignMails,
    CampaignScheduleService,
    CampaignSendingService,
    CampaignService,
    CampaignPreviews,
    CampaignWorker,
    DeliveryMetrics,
    DeliveryStore,
    DeliveryTimings,
    EmailQuotaService,
    MailEventsService,
    MailSettingsService,
    RecipientService,
    ReplyToProof,
    ReportService,
    SendingPace,
    ReplyToMailer,
    TestMailer,
    OwnerMailer,
    TemplateService,
    TrackingService,
    WelcomeService,
    WronglySilenced,
  ],
  exports: [CampaignEnds],
})
export class CampaignsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(readPreviewForm())
      .forRoutes({ path: 'api/zones/:id/campaigns/preview', method: RequestMethod.POST });
  }
}
