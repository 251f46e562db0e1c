import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { AcedumyController, StripeAcedumyController } from './admin/acedumy.controller.js';
import { CustomerMembershipService } from './entitlements/customer-membership.service.js';
import { EntitlementAdminService } from './entitlements/entitlement-admin.service.js';
import { EntitlementRepository } from './entitlements/entitlement.repository.js';
import { InactivityRepository } from './inactivity/inactivity.repository.js';
import { OrderIssueRepository } from './failed-orders/order-issue.repository.js';
import { ProductMappingRepository } from './admin/product-mapping.repository.js';
import { PurchasePasswordRepository } from './purchases/purchase-password.repository.js';
import { WebhookRepository } from './webhooks/webhook.repository.js';
import { EntitlementService } from './entitlements/entitlement.service.js';
import { Entitlement, PurchaseEnd, PurchasePassword } from './entities/entitlement.entity.js';
import { IntegrationWebhook, WebhookRejection } from './entities/integration-webhook.entity.js';
import { ProductMapping } from './entities/product-mapping.entity.js';
import { IntegrationInfoService } from './admin/integration-info.service.js';
import { ProductMappingService } from './admin/product-mapping.service.js';
import { PurchasePasswordService } from './purchases/purchase-password.service.js';
import { WebhookReplayService } from './replay/webhook-replay.service.js';
import { IntegrationAttentionController } from './inactivity/integration-attention.controller.js';
import { IntegrationAttentionService } from './inactivity/integration-attention.service.js';
import { IntegrationInactivity } from './inactivity/integration-inactivity.entity.js';
import { StripeCustomerLookupService } from './entitlements/stripe-customer-lookup.service.js';
import { OrderIssue } from './failed-orders/order-issue.entity.js';
import { OrderIssueService } from './failed-orders/order-issue.service.js';
import { OrderNoticeService } from './failed-orders/order-notice.service.js';
import { WebhookIntakeService } from './webhooks/webhook-intake.service.js';
import { WebhookLogService } from './admin/webhook-log.service.js';
import { IntegrationZoneUseService } from './admin/integration-zone-use.service.js';
import { WebhookProcessingService } from './webhooks/webhook-processing.service.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WooCommerceController } from './admin/woocommerce.controller.js';
import { WaitingEntitlementService } from './entitlements/waiting-entitlement.service.js';
import { BlockedCustomerMailer } from './purchases/blocked-customer-mailer.js';
import { PurchaseMailer } from './purchases/purchase-mailer.js';
import { InactivityMonitorService } from './inactivity/inactivity-monitor.service.js';
import { OrderIssueMailer } from './failed-orders/order-issue-mailer.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([
      Entitlement,
      IntegrationInactivity,
      IntegrationWebhook,
      OrderIssue,
      ProductMapping,
      PurchaseEnd,
      PurchasePassword,
      WebhookRejection,
    ]),
    AuthModule,
    BillingModule,
    ZonesModule,
  ],
  controllers: [
    AcedumyController,
    StripeAcedumyController,
    WebhooksController,
    WooCommerceController,
    IntegrationAttentionController,
  ],
  providers: [
    BlockedCustomerMailer,
    CustomerMembershipService,
    EntitlementAdminService,
    EntitlementRepository,
    EntitlementService,
    InactivityMonitorService,
    InactivityRepository,
    IntegrationAttentionService,
    IntegrationInfoService,
    IntegrationZoneUseService,
    OrderIssueMailer,
    OrderIssueRepository,
    OrderIssueService,
    OrderNoticeService,
    ProductMappingRepository,
    ProductMappingService,
    PurchaseMailer,
    PurchasePasswordRepository,
    PurchasePasswordService,
    StripeCustomerLookupService,
    WaitingEntitlementService,
    WebhookIntakeService,
    WebhookLogService,
    WebhookProcessingService,
    WebhookReplayService,
    WebhookRepository,
  ],
  exports: [EntitlementRepository],
})
export class IntegrationsModule {}
