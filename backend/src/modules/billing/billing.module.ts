import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { BillingController } from './billing.controller.js';
import { CheckoutService } from './checkout/checkout.service.js';
import { AwaitedCheckout } from './checkout/awaited-checkout.service.js';
import { CheckoutTurn } from './checkout/checkout-turn.service.js';
import { CollectionService } from './subscriptions/collection.service.js';
import { CustomerService } from './customer.service.js';
import { BillingAccount, StripeEvent } from './entities/billing-account.entity.js';
import { BillingFigures } from './history/billing-figures.service.js';
import { BillingHistory } from './history/billing-history.service.js';
import { PaidInvoice, SubscriptionChange } from './history/billing-history.entity.js';
import { InvoiceList } from './invoices/invoice-list.service.js';
import { BillingOversightController } from './oversight/billing-oversight.controller.js';
import { BillingOversight } from './oversight/billing-oversight.service.js';
import { PortalService } from './portal/portal.service.js';
import { StripeClient } from './stripe-client.service.js';
import { StripeWebhookController } from './webhook/stripe-webhook.controller.js';
import { StripeWebhookService } from './webhook/stripe-webhook.service.js';
import { SubscriptionStatusService } from './subscriptions/subscription-status.service.js';
import { SubscriptionSync } from './subscriptions/subscription-sync.service.js';
import { BillingMailer } from './letters/billing-mailer.js';
import { StripeCustomerFollower } from './subscriptions/stripe-customer-follower.js';
import { SubscriptionReconciler } from './subscriptions/subscription-reconciler.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([BillingAccount, PaidInvoice, StripeEvent, SubscriptionChange]),
    AuthModule,
    PlansModule,
  ],
  controllers: [BillingController, BillingOversightController, StripeWebhookController],
  providers: [
    StripeCustomerFollower,
    ...[BillingFigures, BillingHistory],
    BillingOversight,
    CheckoutService,
    CheckoutTurn,
    CollectionService,
    CustomerService,
    InvoiceList,
    PortalService,
    SubscriptionReconciler,
    StripeClient,
    StripeWebhookService,
    AwaitedCheckout,
    SubscriptionStatusService,
    SubscriptionSync,
    BillingMailer,
  ],
  exports: [BillingHistory, CollectionService, StripeClient],
})
export class BillingModule {}
