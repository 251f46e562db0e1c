import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Language } from '../../../platform/errors/app-error.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../../platform/http/access.decorator.js';
import { Answers } from '../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { RequestLanguage } from '../../../platform/http/reading/language.js';
import { TimeZoneQueryDto } from '../../../platform/http/reading/time-zone.dto.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { UserService } from '../../auth/users/user.service.js';
import { ActivityItemDto } from '../../activity/activity-item.dto.js';
import { DashboardService } from './dashboard.service.js';
import { AttentionDto, DashboardStatsDto } from '../dto/dashboard.dto.js';
import { StartDto, StartStepDto } from '../dto/start.dto.js';
import { StartService } from './start.service.js';

@ApiTags('insights')
@Controller('api/dashboard')
export class DashboardController {
  constructor(
    private readonly dashboard: DashboardService,
    private readonly starting: StartService,
    private readonly users: UserService,
  ) {}

  @Get('stats')
  @SignedIn()
  @ApiOperation({ summary: 'Totals over the zones that you own' })
  @ApiOkResponse({ type: DashboardStatsDto })
  @ApiErrors(commonErrors.NOT_SIGNED_IN, commonErrors.VALIDATION_FAILED)
  async stats(@CurrentViewer() { userId }: Viewer, @Query() asked: TimeZoneQueryDto): Promise<DashboardStatsDto> {
    return this.dashboard.stats(userId, await this.users.timeZoneOf(userId, asked.timeZone));
  }

  @Get('start')
  @SignedIn()
  @Answers('What is done of the list that leads a new owner to the first reader', StartDto)
  start(@CurrentViewer() { userId }: Viewer): Promise<StartDto> {
    return this.starting.of(userId);
  }

  @Post('start')
  @SignedIn()
  @Answers('Note a step of that list that nothing else tells, or that the list is to go', StartDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  noteStep(@CurrentViewer() { userId }: Viewer, @Body() { step }: StartStepDto): Promise<StartDto> {
    return this.starting.note(userId, step);
  }

  @Get('attention')
  @SignedIn()
  @ApiOperation({ summary: 'What waits for you: join requests, purchases without a place, mails that did not arrive' })
  @ApiOkResponse({ type: [AttentionDto] })
  @ApiErrors(commonErrors.NOT_SIGNED_IN)
  waiting(@CurrentViewer() { userId }: Viewer): Promise<AttentionDto[]> {
    return this.dashboard.attention(userId);
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
