import { applyDecorators, Body, Get, HttpCode, Injectable, Post, type Type } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AdminOnly, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ApiAdminList } from '../../../platform/http/lists/admin-list.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import {
  IntegrationInfoDto,
  ReplayDto,
  ReplayedDto,
  WebhookDetailDto,
  WebhookSummaryDto,
} from '../dto/webhook-log.dto.js';
import { EntitlementAdminService } from '../entitlements/entitlement-admin.service.js';
import { integrationErrors } from '../integrations.errors.js';
import { WebhookReplayService } from '../replay/webhook-replay.service.js';
import type { WebhookSource } from '../shared/sources.js';
import { IntegrationInfoService } from './integration-info.service.js';
import { WebhookLogService } from './webhook-log.service.js';

/** Declares the route that lists a sender's deliveries; the row type differs per sender. */
export const WebhookLogList = (row: Type) =>
  applyDecorators(
    Get('webhook-logs'),
    AdminOnly(),
    ApiAdminList(),
    ApiOperation({ summary: 'List the webhooks, newest first' }),
    ApiOkResponse({ type: [row], headers: { 'X-Total-Count': { schema: { type: 'integer' } } } }),
  );

/** Routes shared by the logs of all senders, so that they stay consistent. */
@Injectable()
export abstract class DeliveryLogController {
  protected abstract readonly source: WebhookSource;

  constructor(
    protected readonly webhookLog: WebhookLogService,
    protected readonly integrationInfo: IntegrationInfoService,
    private readonly entitlementAdmin: EntitlementAdminService,
    private readonly webhookReplay: WebhookReplayService,
  ) {}

  @Get('webhook-logs/summary')
  @AdminOnly()
  @ApiOperation({ summary: 'Count the webhooks by result' })
  @ApiOkResponse({ type: WebhookSummaryDto })
  summary(): Promise<WebhookSummaryDto> {
    return this.webhookLog.getSummary(this.source);
  }

  @Get('webhook-logs/:id')
  @AdminOnly()
  @ApiOperation({ summary: 'Get the content of a webhook and the access it gave' })
  @ApiOkResponse({ type: WebhookDetailDto })
  @ApiErrors(integrationErrors.WEBHOOK_NOT_FOUND)
  detail(@IdParam() id: number, @CurrentViewer() viewer: Viewer): Promise<WebhookDetailDto> {
    return this.webhookLog.getDetail(this.source, id, viewer);
  }

  @Post('webhook-logs/:id/replay')
  @AdminOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Process a webhook again' })
  @ApiOkResponse({ type: WebhookDetailDto })
  @ApiErrors(integrationErrors.WEBHOOK_NOT_FOUND, integrationErrors.WEBHOOK_DATA_GONE)
  async replay(@IdParam() id: number, @CurrentViewer() viewer: Viewer): Promise<WebhookDetailDto> {
    await this.webhookReplay.replayWebhook(this.source, id, viewer.userId);
    return this.webhookLog.getDetail(this.source, id, viewer);
  }

  @Post('webhook-logs/replay')
  @AdminOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Process several webhooks again' })
  @ApiOkResponse({ type: ReplayedDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  replayMany(@Body() { ids }: ReplayDto, @CurrentViewer() { userId }: Viewer): Promise<ReplayedDto> {
    return this.webhookReplay.replayWebhooks(this.source, ids, userId);
  }

  @Post('entitlements/:id/revoke')
  @AdminOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'Revoke the access of a purchase manually' })
  @ApiNoContentResponse()
  @ApiErrors(integrationErrors.ENTITLEMENT_NOT_FOUND)
  revoke(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.entitlementAdmin.revokeEntitlement(this.source, id, userId);
  }

  @Post('entitlements/:id/restore')
  @HttpCode(204)
  @ApiOperation({ summary: 'Restore manually revoked access' })
  @ApiNoContentResponse()
  @ApiErrors(integrationErrors.ENTITLEMENT_NOT_FOUND, integrationErrors.ENTITLEMENT_ENDED, zoneErrors.ZONE_FULL)
  @AdminOnly()
  restore(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.entitlementAdmin.restoreEntitlement(this.source, id, userId);
  }

  @Get('integration-info')
  @AdminOnly()
  @ApiOperation({ summary: 'Get the settings to enter at the sender' })
  @ApiOkResponse({ type: IntegrationInfoDto })
  info(): Promise<IntegrationInfoDto> {
    return this.integrationInfo.getInfo(this.source);
  }
}
