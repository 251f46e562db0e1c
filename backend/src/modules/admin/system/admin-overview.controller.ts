import { Controller, Get, Query } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AdminOnly, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { Answers } from '../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { TimeZoneQueryDto } from '../../../platform/http/reading/time-zone.dto.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { UserService } from '../../auth/users/user.service.js';
import { PlatformFiguresService } from '../../insights/dashboard/platform-figures.service.js';
import { AdminDayDto, AdminStatsDto, DaysQueryDto } from '../dto/stats.dto.js';
import { SystemStateDto } from '../dto/system.dto.js';
import { SystemStateService } from './system-state.service.js';

const DAYS = 30;

@ApiTags('admin')
@Controller('api/admin')
export class AdminOverviewController {
  constructor(
    private readonly figures: PlatformFiguresService,
    private readonly systems: SystemStateService,
    private readonly users: UserService,
  ) {}

  @Get('stats')
  @AdminOnly()
  @Answers('Get the totals of the site', AdminStatsDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async stats(@CurrentViewer() { userId }: Viewer, @Query() asked: TimeZoneQueryDto): Promise<AdminStatsDto> {
    return this.figures.totals(await this.users.timeZoneOf(userId, asked.timeZone));
  }

  @Get('stats/days')
  @AdminOnly()
  @Answers('Get the daily figures of the site, oldest first', [AdminDayDto])
  @ApiQuery({ name: 'days', required: false, schema: { type: 'integer', minimum: 1, maximum: 366 } })
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async days(
    @CurrentViewer() { userId }: Viewer,
    @Query() { days = DAYS, timeZone }: DaysQueryDto,
  ): Promise<AdminDayDto[]> {
    return this.figures.series(days, await this.users.timeZoneOf(userId, timeZone));
  }

  @Get('system')
  @AdminOnly()
  @Answers('Get the system state: versions, sizes, queues', SystemStateDto)
  system(): Promise<SystemStateDto> {
    return this.systems.state();
  }
}
