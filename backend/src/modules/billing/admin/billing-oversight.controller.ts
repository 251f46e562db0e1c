import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminOnly } from '../../../platform/http/access.decorator.js';
import { ApiAdminList, sendAdminPage } from '../../../platform/http/lists/admin-list.js';
import { BillingFiguresDto } from '../history/billing-figures.dto.js';
import { BillingStatisticsService } from '../history/billing-statistics.service.js';
import { BillingOversightDto, StripeEventDto, StripeEventQueryDto } from './billing-oversight.dto.js';
import { StripeEventRepository } from '../webhook/stripe-event.repository.js';
import { BillingAdminService } from './billing-admin.service.js';

@ApiTags('admin')
@Controller('api/admin/billing')
export class BillingOversightController {
  constructor(
    private readonly billingAdmin: BillingAdminService,
    private readonly statistics: BillingStatisticsService,
    private readonly stripeEvents: StripeEventRepository,
  ) {}

  @Get()
  @AdminOnly()
  @ApiOperation({ summary: 'Get billing issues: users with several subscriptions, and rejected webhooks' })
  @ApiOkResponse({ type: BillingOversightDto })
  state(): Promise<BillingOversightDto> {
    return this.billingAdmin.getState();
  }

  @Get('figures')
  @AdminOnly()
  @ApiOperation({ summary: 'Get users by plan, and monthly revenue, new and ended subscriptions' })
  @ApiOkResponse({ type: BillingFiguresDto })
  all(): Promise<BillingFiguresDto> {
    return this.statistics.getStatistics();
  }

  @Get('events')
  @AdminOnly()
  @ApiAdminList()
  @ApiOperation({ summary: 'List the Stripe events with their results' })
  @ApiOkResponse({ type: [StripeEventDto], headers: { 'X-Total-Count': { schema: { type: 'integer' } } } })
  async events(
    @Query() query: StripeEventQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StripeEventDto[]> {
    return sendAdminPage(response, await this.stripeEvents.findAdminPage(query));
  }
}
