import { applyDecorators, Get, Post, type Type } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/http/access.decorator.js';
import { ApiAdminList } from '../../platform/http/admin-list.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { IntegrationInfoDto, WebhookDetailDto, WebhookSummaryDto } from './dto/webhook-log.dto.js';
import { integrationErrors } from './integrations.errors.js';

// The routes that the logs of all senders have, so that they cannot come apart.

export const LogList = (row: Type) =>
  applyDecorators(
    Get('webhook-logs'),
    AdminOnly(),
    ApiAdminList(),
    ApiOperation({ summary: 'Deliveries, the newest first' }),
    ApiOkResponse({ type: [row], headers: { 'X-Total-Count': { schema: { type: 'integer' } } } }),
  );

export const LogSummary = () =>
  applyDecorators(
    Get('webhook-logs/summary'),
    AdminOnly(),
    ApiOperation({ summary: 'How many deliveries came, and what came of them' }),
    ApiOkResponse({ type: WebhookSummaryDto }),
  );

export const LogDetail = () =>
  applyDecorators(
    Get('webhook-logs/:id'),
    AdminOnly(),
    ApiOperation({ summary: 'The body of a delivery, and what the purchase opened' }),
    ApiOkResponse({ type: WebhookDetailDto }),
    ApiErrors(integrationErrors.WEBHOOK_NOT_FOUND),
  );

export const LogReplay = () =>
  applyDecorators(
    Post('webhook-logs/:id/replay'),
    AdminOnly(),
    ApiOperation({ summary: 'Process a delivery once more' }),
    ApiNoContentResponse(),
    ApiErrors(integrationErrors.WEBHOOK_NOT_FOUND, integrationErrors.WEBHOOK_DATA_GONE),
  );

export const TakeBack = () =>
  applyDecorators(
    Post('entitlements/:id/revoke'),
    AdminOnly(),
    ApiOperation({ summary: 'Take back by hand what a purchase opened' }),
    ApiNoContentResponse(),
    ApiErrors(integrationErrors.ENTITLEMENT_NOT_FOUND),
  );

export const GiveBack = () =>
  applyDecorators(
    Post('entitlements/:id/restore'),
    AdminOnly(),
    ApiOperation({ summary: 'Give back what was taken back by hand' }),
    ApiNoContentResponse(),
    ApiErrors(integrationErrors.ENTITLEMENT_NOT_FOUND, integrationErrors.ENTITLEMENT_ENDED, zoneErrors.ZONE_FULL),
  );

export const Info = () =>
  applyDecorators(
    Get('integration-info'),
    AdminOnly(),
    ApiOperation({ summary: 'What to enter at the sender' }),
    ApiOkResponse({ type: IntegrationInfoDto }),
  );
