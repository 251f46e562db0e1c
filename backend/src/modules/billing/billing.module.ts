import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { BillingController } from './billing.controller.js';
import { CheckoutService } from './checkout/checkout.service.js';
import { PendingCheckoutService } from './checkout/pending-checkout.service.js';
import { CheckoutLockService } from './checkout/checkout-lock.service.js';
import { PaymentCollectionService } from './subscriptions/payment-collection.service.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { StripeCustomerService } from './stripe-customer.service.js';
import { StripeEventRepository } from './webhook/stripe-event.repository.js';
import { BillingAccount, StripeEvent } from './entities/billing-account.entity.js';
import { BillingStatisticsService } from './history/billing-statistics.service.js';
import { BillingHistoryRepository } from './history/billing-history.repository.js';
import { PaidInvoice, SubscriptionChange } from './history/billing-history.entity.js';
import { InvoiceListService } from './invoices/invoice-list.service.js';
import { BillingOversightController } from './admin/billing-oversight.controller.js';
import { BillingAdminService } from './admin/billing-admin.service.js';
import { PortalService } from './portal/portal.service.js';
import { StripeClientService } from './stripe-client.service.js';
import { StripeWebhookController } from './webhook/stripe-webhook.controller.js';
import { StripeWebhookService } from './webhook/stripe-webhook.service.js';
import { SubscriptionStatusService } from './subscriptions/subscription-status.service.js';
import { SubscriptionSyncService } from './subscriptions/subscription-sync.service.js';
import { BillingMailer } from './emails/billing-mailer.js';
import { StripeCustomerSyncService } from './subscriptions/stripe-customer-sync.service.js';
import { SubscriptionReconciliationService } from './subscriptions/subscription-reconciliation.service.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([BillingAccount, PaidInvoice, StripeEvent, SubscriptionChange]),
    AuthModule,
    PlansModule,
  ],
  controllers: [BillingController, BillingOversightController, StripeWebhookController],
  providers: [
    StripeCustomerSyncService,
    BillingStatisticsService,
    BillingHistoryRepository,
    BillingAccountRepository,
    BillingAdminService,
    CheckoutService,
    CheckoutLockService,
    PaymentCollectionService,
    StripeCustomerService,
    StripeEventRepository,
    InvoiceListService,
    PortalService,
    SubscriptionReconciliationService,
    StripeClientService,
    StripeWebhookService,
    PendingCheckoutService,
    SubscriptionStatusService,
    SubscriptionSyncService,
    BillingMailer,
  ],
  exports: [BillingHistoryRepository, PaymentCollectionService, StripeClientService],
})
export class BillingModule {}
