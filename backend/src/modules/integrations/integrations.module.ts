import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { AcedumyController, StripeAcedumyController } from './oversight/acedumy.controller.js';
import { CustomerZoneService } from './entitlements/customer-zone.service.js';
import { EntitlementRepairService } from './entitlements/entitlement-repair.service.js';
import { EntitlementRows } from './entitlements/entitlement-rows.service.js';
import { EntitlementService } from './entitlements/entitlement.service.js';
import { Entitlement, PurchaseEnd, PurchasePassword } from './entities/entitlement.entity.js';
import { IntegrationWebhook, WebhookRefusal } from './entities/integration-webhook.entity.js';
import { ProductMapping } from './entities/product-mapping.entity.js';
import { IntegrationInfoService } from './oversight/integration-info.service.js';
import { ProductMappingService } from './oversight/product-mapping.service.js';
import { PurchasePasswordService } from './purchases/purchase-password.service.js';
import { DeliveryReplayer } from './replay/delivery-replayer.service.js';
import { IntegrationAttentionController } from './silence/integration-attention.controller.js';
import { IntegrationAttention } from './silence/integration-attention.service.js';
import { IntegrationSilence } from './silence/integration-silence.entity.js';
import { StripeCustomerService } from './entitlements/stripe-customer.service.js';
import { OrderTrouble } from './troubles/order-trouble.entity.js';
import { OrderTroubles } from './troubles/order-troubles.service.js';
import { OrderNotices } from './troubles/order-notices.service.js';
import { WebhookIntakeService } from './intake/webhook-intake.service.js';
import { WebhookLogService } from './oversight/webhook-log.service.js';
import { IntegrationZoneUse } from './oversight/zone-use.service.js';
import { WebhookProcessingService } from './intake/webhook-processing.service.js';
import { WebhooksController } from './intake/webhooks.controller.js';
import { WooCommerceController } from './oversight/woocommerce.controller.js';
import { WaitingEntitlements } from './entitlements/waiting-entitlements.js';
import { BlockedCustomerMailer } from './purchases/blocked-customer-mailer.js';
import { PurchaseMailer } from './purchases/purchase-mailer.js';
import { SilenceWatch } from './silence/silence-watch.js';
import { OrderMailer } from './troubles/order-mailer.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([
      Entitlement,
      IntegrationSilence,
      IntegrationWebhook,
      OrderTrouble,
      ProductMapping,
      PurchaseEnd,
      PurchasePassword,
      WebhookRefusal,
    ]),
    AuthModule,
    BillingModule,
    ZonesModule,
  ],
  controllers: [
    ...[AcedumyController, StripeAcedumyController, WebhooksController, WooCommerceController],
    IntegrationAttentionController,
  ],
  providers: [
    WaitingEntitlements,
    CustomerZoneService,
    DeliveryReplayer,
    EntitlementRepairService,
    EntitlementRows,
    EntitlementService,
    IntegrationInfoService,
    IntegrationZoneUse,
    ProductMappingService,
    PurchasePasswordService,
    StripeCustomerService,
    ...[PurchaseMailer, BlockedCustomerMailer],
    ...[IntegrationAttention, SilenceWatch],
    ...[OrderTroubles, OrderMailer, OrderNotices],
    WebhookIntakeService,
    WebhookLogService,
    WebhookProcessingService,
  ],
  exports: [EntitlementRepairService],
})
export class IntegrationsModule {}
