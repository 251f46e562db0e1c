import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminOnly, CurrentViewer } from '../../platform/http/access.decorator.js';
import { AdminListQueryDto, ApiAdminList, sendAdminPage } from '../../platform/http/admin-list.js';
import { IdParam } from '../../platform/http/id.pipe.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { CreateProductMappingDto, ProductMappingDto, ZoneChoiceDto } from './dto/product-mapping.dto.js';
import { integrationErrors } from './integrations.errors.js';
import { ProductMappingService } from './product-mapping.service.js';
import {
  WooCommerceWebhookDto,
  WebhookLogQueryDto,
  type IntegrationInfoDto,
  type WebhookDetailDto,
  type WebhookSummaryDto,
} from './dto/webhook-log.dto.js';
import { EntitlementRepairService } from './entitlement-repair.service.js';
import { IntegrationInfoService } from './integration-info.service.js';
import { GiveBack, Info, LogDetail, LogList, LogReplay, LogSummary, TakeBack } from './log-routes.js';
import { common, WebhookLogService } from './webhook-log.service.js';

@ApiTags('woocommerce')
@Controller('api/woocommerce')
export class WooCommerceController {
  constructor(
    private readonly log: WebhookLogService,
    private readonly infos: IntegrationInfoService,
    private readonly repairs: EntitlementRepairService,
    private readonly mappings: ProductMappingService,
  ) {}

  @Get('product-mappings')
  @AdminOnly()
  @ApiAdminList()
  @ApiOperation({ summary: 'Which product opens which zone' })
  @ApiOkResponse({ type: [ProductMappingDto], headers: { 'X-Total-Count': { schema: { type: 'integer' } } } })
  async mapped(
    @Query() query: AdminListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProductMappingDto[]> {
    return sendAdminPage(response, await this.mappings.list(query));
  }

  @Post('product-mappings')
  @AdminOnly()
  @ApiOperation({ summary: 'Let a product open a zone' })
  @ApiCreatedResponse({ type: ProductMappingDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, integrationErrors.MAPPING_ZONE_NOT_FOUND, integrationErrors.MAPPING_EXISTS)
  map(@Body() dto: CreateProductMappingDto, @CurrentViewer() { userId }: Viewer): Promise<ProductMappingDto> {
    return this.mappings.create(dto, userId);
  }

  @Delete('product-mappings/:id')
  @AdminOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'End a mapping; who came by it stays' })
  @ApiNoContentResponse()
  @ApiErrors(integrationErrors.MAPPING_NOT_FOUND)
  unmap(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.mappings.remove(id, userId);
  }

  @Get('zones')
  @AdminOnly()
  @ApiOperation({ summary: 'Zones to choose from, by a part of their name or their id' })
  @ApiQuery({ name: 'q', required: false, schema: { type: 'string', maxLength: 200 } })
  @ApiOkResponse({ type: [ZoneChoiceDto] })
  zones(@Query() { q = '' }: AdminListQueryDto): Promise<ZoneChoiceDto[]> {
    return this.mappings.zones(q.trim());
  }

  @LogList(WooCommerceWebhookDto)
  async list(
    @Query() query: WebhookLogQueryDto,
    @CurrentViewer() { language }: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WooCommerceWebhookDto[]> {
    const { rows, total } = await this.log.list('woocommerce', query, language);
    return sendAdminPage(response, {
      rows: rows.map((row) => ({
        ...common(row),
        orderId: row.orderId,
        productId: row.productId,
        productName: row.productName,
      })),
      total,
    });
  }

  @LogSummary()
  summary(): Promise<WebhookSummaryDto> {
    return this.log.summary('woocommerce');
  }

  @LogDetail()
  detail(@IdParam() id: number, @CurrentViewer() viewer: Viewer): Promise<WebhookDetailDto> {
    return this.log.detail('woocommerce', id, viewer);
  }

  @LogReplay()
  @HttpCode(204)
  replay(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.log.replay('woocommerce', id, userId);
  }

  @TakeBack()
  @HttpCode(204)
  revoke(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.repairs.revoke('woocommerce', id, userId);
  }

  @GiveBack()
  @HttpCode(204)
  restore(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.repairs.restore('woocommerce', id, userId);
  }

  @Info()
  info(): Promise<IntegrationInfoDto> {
    return this.infos.info('woocommerce');
  }
}
