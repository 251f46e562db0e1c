import { Controller, HttpCode, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentViewer } from '../../platform/http/access.decorator.js';
import { sendAdminPage } from '../../platform/http/admin-list.js';
import { IdParam } from '../../platform/http/id.pipe.js';
import type { Viewer } from '../../platform/http/viewer.js';
import {
  AcedumyWebhookDto,
  WebhookLogQueryDto,
  type IntegrationInfoDto,
  type WebhookDetailDto,
  type WebhookSummaryDto,
} from './dto/webhook-log.dto.js';
import { EntitlementRepairService } from './entitlement-repair.service.js';
import { IntegrationInfoService } from './integration-info.service.js';
import { GiveBack, Info, LogDetail, LogList, LogReplay, LogSummary, TakeBack } from './log-routes.js';
import { common, WebhookLogService } from './webhook-log.service.js';

@ApiTags('acedumy')
@Controller('api/acedumy')
export class AcedumyController {
  constructor(
    private readonly log: WebhookLogService,
    private readonly infos: IntegrationInfoService,
    private readonly repairs: EntitlementRepairService,
  ) {}

  @LogList(AcedumyWebhookDto)
  async list(
    @Query() query: WebhookLogQueryDto,
    @CurrentViewer() { language }: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AcedumyWebhookDto[]> {
    const { rows, total } = await this.log.list('acedumy', query, language);
    return sendAdminPage(response, {
      rows: rows.map((row) => ({ ...common(row), subscriptionId: row.subscriptionId })),
      total,
    });
  }

  @LogSummary()
  summary(): Promise<WebhookSummaryDto> {
    return this.log.summary('acedumy');
  }

  @LogDetail()
  detail(@IdParam() id: number, @CurrentViewer() viewer: Viewer): Promise<WebhookDetailDto> {
    return this.log.detail('acedumy', id, viewer);
  }

  @LogReplay()
  @HttpCode(204)
  replay(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.log.replay('acedumy', id, userId);
  }

  @TakeBack()
  @HttpCode(204)
  revoke(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.repairs.revoke('acedumy', id, userId);
  }

  @GiveBack()
  @HttpCode(204)
  restore(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.repairs.restore('acedumy', id, userId);
  }

  @Info()
  info(): Promise<IntegrationInfoDto> {
    return this.infos.info('acedumy');
  }
}
