import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminOnly, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { AdminListQueryDto, ApiAdminList, sendAdminPage } from '../../../platform/http/lists/admin-list.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import {
  CreateProductMappingDto,
  ProductMappingDto,
  SwitchProductMappingDto,
  ZoneChoiceDto,
} from '../dto/product-mapping.dto.js';
import { integrationErrors } from '../integrations.errors.js';
import { ProductMappingRepository } from './product-mapping.repository.js';
import { ProductMappingService } from './product-mapping.service.js';
import { WooCommerceWebhookDto, WebhookLogQueryDto } from '../dto/webhook-log.dto.js';
import { EntitlementAdminService } from '../entitlements/entitlement-admin.service.js';
import { IntegrationInfoService } from './integration-info.service.js';
import { WebhookReplayService } from '../replay/webhook-replay.service.js';
import { DeliveryLogController, WebhookLogList } from './delivery-log.controller.js';
import { toCommonFields, WebhookLogService } from './webhook-log.service.js';

@ApiTags('woocommerce')
@Controller('api/woocommerce')
export class WooCommerceController extends DeliveryLogController {
  protected readonly source = 'woocommerce';

  constructor(
    webhookLog: WebhookLogService,
    integrationInfo: IntegrationInfoService,
    entitlementAdmin: EntitlementAdminService,
    webhookReplay: WebhookReplayService,
    private readonly mappings: ProductMappingRepository,
    private readonly mappingService: ProductMappingService,
  ) {
    super(webhookLog, integrationInfo, entitlementAdmin, webhookReplay);
  }

  @Get('product-mappings')
  @AdminOnly()
  @ApiAdminList()
  @ApiOperation({ summary: 'List the product mappings' })
  @ApiOkResponse({ type: [ProductMappingDto], headers: { 'X-Total-Count': { schema: { type: 'integer' } } } })
  async mapped(
    @Query() query: AdminListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProductMappingDto[]> {
    return sendAdminPage(response, await this.mappings.findAdminPage(query));
  }

  @Post('product-mappings')
  @AdminOnly()
  @ApiOperation({ summary: 'Map a product to a zone' })
  @ApiCreatedResponse({ type: ProductMappingDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, integrationErrors.MAPPING_ZONE_NOT_FOUND, integrationErrors.MAPPING_EXISTS)
  map(@Body() dto: CreateProductMappingDto, @CurrentViewer() { userId }: Viewer): Promise<ProductMappingDto> {
    return this.mappingService.createMapping(dto, userId);
  }

  @Patch('product-mappings/:id')
  @AdminOnly()
  @ApiOperation({ summary: 'Activate or deactivate a mapping; existing customers keep access' })
  @ApiOkResponse({ type: ProductMappingDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, integrationErrors.MAPPING_NOT_FOUND)
  switch(
    @IdParam() id: number,
    @Body() { isActive }: SwitchProductMappingDto,
    @CurrentViewer() { userId }: Viewer,
  ): Promise<ProductMappingDto> {
    return this.mappingService.setMappingActive(id, isActive, userId);
  }

  @Delete('product-mappings/:id')
  @AdminOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a mapping; existing customers keep access' })
  @ApiNoContentResponse()
  @ApiErrors(integrationErrors.MAPPING_NOT_FOUND)
  unmap(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.mappingService.deleteMapping(id, userId);
  }

  @Get('zones')
  @AdminOnly()
  @ApiOperation({ summary: 'Search zones by part of the name or by id' })
  @ApiQuery({ name: 'q', required: false, schema: { type: 'string', maxLength: 200 } })
  @ApiOkResponse({ type: [ZoneChoiceDto] })
  zones(@Query() { q = '' }: AdminListQueryDto): Promise<ZoneChoiceDto[]> {
    return this.mappings.searchZones(q.trim());
  }

  @WebhookLogList(WooCommerceWebhookDto)
  async list(
    @Query() query: WebhookLogQueryDto,
    @CurrentViewer() { language }: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WooCommerceWebhookDto[]> {
    const { rows, total } = await this.webhookLog.listWebhooks(this.source, query, language);
    return sendAdminPage(response, {
      rows: rows.map((row) => ({
        ...toCommonFields(row),
        orderId: row.orderId,
        productId: row.productId,
        productName: row.productName,
      })),
      total,
    });
  }
}
