import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { AlignCollectionHandler } from './align-collection.handler.js';
import { BillingController } from './billing.controller.js';
import { BillingPersonalData } from './billing-personal-data.js';
import { BillingUserState } from './billing-user-state.js';
import { CheckoutService } from './checkout.service.js';
import { CheckoutTurn } from './checkout-turn.service.js';
import { CollectionService } from './collection.service.js';
import { CustomerService } from './customer.service.js';
import { BillingAccount } from './entities/billing-account.entity.js';
import { StripeEvent } from './entities/stripe-event.entity.js';
import { PortalService } from './portal.service.js';
import { ReconcileSubscriptionsHandler } from './reconcile-subscriptions.handler.js';
import { RefreshSubscriptionHandler } from './refresh-subscription.handler.js';
import { StripeClient } from './stripe-client.service.js';
import { StripeWebhookController } from './stripe-webhook.controller.js';
import { StripeWebhookService } from './stripe-webhook.service.js';
import { SubscriptionStatusService } from './subscription-status.service.js';
import { SubscriptionSync } from './subscription-sync.service.js';
import { TellOfBillingHandler } from './tell-of-billing.handler.js';

@Module({
  imports: [MikroOrmModule.forFeature([BillingAccount, StripeEvent]), AuthModule, PlansModule],
  controllers: [BillingController, StripeWebhookController],
  providers: [
    AlignCollectionHandler,
    BillingPersonalData,
    BillingUserState,
    CheckoutService,
    CheckoutTurn,
    CollectionService,
    CustomerService,
    PortalService,
    ReconcileSubscriptionsHandler,
    RefreshSubscriptionHandler,
    StripeClient,
    StripeWebhookService,
    SubscriptionStatusService,
    SubscriptionSync,
    TellOfBillingHandler,
  ],
  exports: [StripeClient],
})
export class BillingModule {}
