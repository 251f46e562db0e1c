import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import { TimeZoneQueryDto } from '../../../platform/http/parsing/time-zone.dto.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { UserService } from '../../auth/users/user.service.js';
import { ActivityItemDto } from '../../activity/activity-item.dto.js';
import { DashboardService } from './dashboard.service.js';
import { AttentionDto, DashboardStatsDto } from '../dto/dashboard.dto.js';
import { StartDto, StartStepDto } from '../dto/start.dto.js';
import { AttentionRepository } from './attention.repository.js';
import { OnboardingRepository } from './onboarding.repository.js';

@ApiTags('insights')
@Controller('api/dashboard')
export class DashboardController {
  constructor(
    private readonly dashboard: DashboardService,
    private readonly onboarding: OnboardingRepository,
    private readonly attention: AttentionRepository,
    private readonly users: UserService,
  ) {}

  @Get('stats')
  @SignedIn()
  @ApiOperation({ summary: 'Get totals for the zones that you own' })
  @ApiOkResponse({ type: DashboardStatsDto })
  @ApiErrors(commonErrors.NOT_SIGNED_IN, commonErrors.VALIDATION_FAILED)
  async stats(@CurrentViewer() { userId }: Viewer, @Query() asked: TimeZoneQueryDto): Promise<DashboardStatsDto> {
    return this.dashboard.getStats(userId, await this.users.getTimeZone(userId, asked.timeZone));
  }

  @Get('start')
  @SignedIn()
  @ApiJson('Get the progress of the onboarding checklist', StartDto)
  start(@CurrentViewer() { userId }: Viewer): Promise<StartDto> {
    return this.onboarding.getChecklist(userId);
  }

  @Post('start')
  @SignedIn()
  @ApiJson('Mark a step of the onboarding checklist as done, or dismiss the checklist', StartDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  noteStep(@CurrentViewer() { userId }: Viewer, @Body() { step }: StartStepDto): Promise<StartDto> {
    return this.onboarding.recordStep(userId, step);
  }

  @Get('attention')
  @SignedIn()
  @ApiOperation({ summary: 'Get what needs your attention: join requests, waiting purchases, undelivered emails' })
  @ApiOkResponse({ type: [AttentionDto] })
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  waiting(@CurrentViewer() { userId }: Viewer): Promise<AttentionDto[]> {
    return this.attention.listAttention(userId);
  }

  @Get('activity')
  @SignedIn()
  @ApiOperation({ summary: 'List the latest activity in the zones that you own' })
  @ApiOkResponse({ type: [ActivityItemDto] })
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  activity(@CurrentViewer() { userId }: Viewer, @RequestLanguage() language: Language): Promise<ActivityItemDto[]> {
    return this.dashboard.listLatestActivity(userId, language);
  }
}
