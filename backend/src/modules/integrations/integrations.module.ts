import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { ZonesModule } from '../zones/zones.module.js';
import { AcedumyController } from './acedumy.controller.js';
import { AdmitWaitingHandler } from './admit-waiting.handler.js';
import { CustomerZoneService } from './customer-zone.service.js';
import { EntitlementRepairService } from './entitlement-repair.service.js';
import { EntitlementRows } from './entitlement-rows.service.js';
import { EntitlementService } from './entitlement.service.js';
import { Entitlement } from './entities/entitlement.entity.js';
import { IntegrationWebhook } from './entities/integration-webhook.entity.js';
import { ProductMapping } from './entities/product-mapping.entity.js';
import { PurchaseEnd } from './entities/purchase-end.entity.js';
import { PurchasePassword } from './entities/purchase-password.entity.js';
import { WebhookRefusal } from './entities/webhook-refusal.entity.js';
import { IntegrationInfoService } from './integration-info.service.js';
import { IntegrationsPersonalData } from './integrations-personal-data.js';
import { ProcessWebhookHandler } from './process-webhook.handler.js';
import { ProductMappingService } from './product-mapping.service.js';
import { PurchasePasswordService } from './purchase-password.service.js';
import { PurgePurchasePasswordsHandler } from './purge-purchase-passwords.handler.js';
import { StripeAcedumyController } from './stripe-acedumy.controller.js';
import { StripeCustomerService } from './stripe-customer.service.js';
import { TellPurchaseHandler } from './tell-purchase.handler.js';
import { WebhookIntakeService } from './webhook-intake.service.js';
import { WebhookLogService } from './webhook-log.service.js';
import { WebhookProcessingService } from './webhook-processing.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WooCommerceController } from './woocommerce.controller.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([
      Entitlement,
      IntegrationWebhook,
      ProductMapping,
      PurchaseEnd,
      PurchasePassword,
      WebhookRefusal,
    ]),
    AuthModule,
    BillingModule,
    ZonesModule,
  ],
  controllers: [AcedumyController, StripeAcedumyController, WebhooksController, WooCommerceController],
  providers: [
    AdmitWaitingHandler,
    CustomerZoneService,
    EntitlementRepairService,
    EntitlementRows,
    EntitlementService,
    IntegrationInfoService,
    IntegrationsPersonalData,
    ProcessWebhookHandler,
    ProductMappingService,
    PurchasePasswordService,
    PurgePurchasePasswordsHandler,
    StripeCustomerService,
    TellPurchaseHandler,
    WebhookIntakeService,
    WebhookLogService,
    WebhookProcessingService,
  ],
})
export class IntegrationsModule {}
