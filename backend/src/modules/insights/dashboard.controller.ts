import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Language } from '../../platform/errors/app-error.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { RequestLanguage } from '../../platform/http/language.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { ActivityItemDto } from '../activity/activity-item.dto.js';
import { AttentionService } from './attention.service.js';
import { DashboardService } from './dashboard.service.js';
import { AttentionDto, DashboardStatsDto } from './dto/dashboard.dto.js';

@ApiTags('insights')
@Controller('api/dashboard')
export class DashboardController {
  constructor(
    private readonly dashboard: DashboardService,
    private readonly attention: AttentionService,
  ) {}

  @Get('stats')
  @SignedIn()
  @ApiOperation({ summary: 'Totals over the zones that you own' })
  @ApiOkResponse({ type: DashboardStatsDto })
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  stats(@CurrentViewer() { userId }: Viewer): Promise<DashboardStatsDto> {
    return this.dashboard.stats(userId);
  }

  @Get('attention')
  @SignedIn()
  @ApiOperation({ summary: 'What waits for you: join requests, purchases without a place, mails that did not arrive' })
  @ApiOkResponse({ type: [AttentionDto] })
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  waiting(@CurrentViewer() { userId }: Viewer): Promise<AttentionDto[]> {
    return this.attention.of(userId);
  }

  @Get('activity')
  @SignedIn()
  @ApiOperation({ summary: 'What happened last in the zones that you own' })
  @ApiOkResponse({ type: [ActivityItemDto] })
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  activity(@CurrentViewer() { userId }: Viewer, @RequestLanguage() language: Language): Promise<ActivityItemDto[]> {
    return this.dashboard.latest(userId, language);
  }
}
