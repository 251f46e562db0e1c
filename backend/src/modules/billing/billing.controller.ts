import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import type { Viewer } from '../../platform/http/parsing/viewer.js';
import { billingErrors } from './billing.errors.js';
import { CheckoutService } from './checkout/checkout.service.js';
import {
  AddressDto,
  CheckoutSessionDto,
  CreateSubscriptionDto,
  ManageSubscriptionDto,
  SubscriptionStatusDto,
} from './dto/billing.dto.js';
import { InvoiceDto } from './invoices/invoice.dto.js';
import { InvoiceListService } from './invoices/invoice-list.service.js';
import { PortalService } from './portal/portal.service.js';
import { SubscriptionStatusService } from './subscriptions/subscription-status.service.js';

@ApiTags('billing')
@Controller('api')
@SignedIn()
@ApiErrors(commonErrors.NOT_SIGNED_IN)
export class BillingController {
  constructor(
    private readonly status: SubscriptionStatusService,
    private readonly checkout: CheckoutService,
    private readonly portal: PortalService,
    private readonly invoices: InvoiceListService,
  ) {}

  @Get('subscription-status')
  @ApiOperation({ summary: 'Your plan and subscription' })
  @ApiOkResponse({ type: SubscriptionStatusDto })
  subscription(@CurrentViewer() { userId }: Viewer): Promise<SubscriptionStatusDto> {
    return this.status.getCurrentStatus(userId);
  }

  @Post('subscription-status/refresh')
  @HttpCode(200)
  @ApiOperation({ summary: 'Get your plan and subscription after refreshing them from the payment provider' })
  @ApiOkResponse({ type: SubscriptionStatusDto })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS, billingErrors.BILLING_NOT_CONFIGURED, billingErrors.BILLING_UNAVAILABLE)
  refresh(@CurrentViewer() { userId }: Viewer): Promise<SubscriptionStatusDto> {
    return this.status.refreshStatus(userId);
  }

  @Post('create-subscription')
  @HttpCode(200)
  @ApiOperation({ summary: 'Get the URL of the checkout page or, for subscribers, of the page to change the plan' })
  @ApiOkResponse({ type: AddressDto })
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    billingErrors.NOTHING_SOLD,
    billingErrors.PLAN_NOT_SOLD,
    billingErrors.UPGRADE_NOT_OFFERED,
    billingErrors.PLAN_INCLUDED,
    billingErrors.CHECKOUT_BUSY,
    commonErrors.TOO_MANY_REQUESTS,
    billingErrors.BILLING_NOT_CONFIGURED,
    billingErrors.PRICE_NOT_CONFIGURED,
    billingErrors.BILLING_UNAVAILABLE,
  )
  async create(
    @CurrentViewer() { userId }: Viewer,
    @Body() { planId, billingInterval }: CreateSubscriptionDto,
  ): Promise<AddressDto> {
    return { url: await this.checkout.startCheckout(userId, planId, billingInterval) };
  }

  @Get('checkout-session/:sessionId')
  @ApiOperation({ summary: 'Get the result of one of your checkouts' })
  @ApiOkResponse({ type: CheckoutSessionDto })
  @ApiErrors(commonErrors.NOT_FOUND, billingErrors.BILLING_NOT_CONFIGURED, billingErrors.BILLING_UNAVAILABLE)
  session(@CurrentViewer() { userId }: Viewer, @Param('sessionId') sessionId: string): Promise<CheckoutSessionDto> {
    return this.checkout.getCheckoutSession(userId, sessionId);
  }

  @Post('manage-subscription')
  @HttpCode(200)
  @ApiOperation({ summary: 'Get the URL of the billing portal to change plan and card, read invoices and cancel' })
  @ApiOkResponse({ type: AddressDto })
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    billingErrors.NOTHING_SOLD,
    billingErrors.NO_SUBSCRIPTION,
    billingErrors.PLAN_BY_AGREEMENT,
    commonErrors.TOO_MANY_REQUESTS,
    billingErrors.BILLING_NOT_CONFIGURED,
    billingErrors.BILLING_UNAVAILABLE,
  )
  async manage(
    @CurrentViewer() { userId }: Viewer,
    @Body() { planId, billingInterval = 'monthly' }: ManageSubscriptionDto = {},
  ): Promise<AddressDto> {
    const target = planId === undefined ? null : { plan: planId, interval: billingInterval };
    return { url: await this.portal.openPortal(userId, target) };
  }

  @Get('user/invoices')
  @ApiOperation({ summary: 'List your invoices, newest first' })
  @ApiOkResponse({ type: [InvoiceDto] })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS, billingErrors.BILLING_UNAVAILABLE)
  charged(@CurrentViewer() { userId }: Viewer): Promise<InvoiceDto[]> {
    return this.invoices.listInvoices(userId);
  }
}
