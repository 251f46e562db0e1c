import { Controller, Get, Query } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AdminOnly, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { TimeZoneQueryDto } from '../../../platform/http/parsing/time-zone.dto.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { UserService } from '../../auth/users/user.service.js';
import { PlatformFiguresService } from '../../insights/dashboard/platform-figures.service.js';
import { AdminDayDto, AdminStatsDto, DaysQueryDto } from '../dto/stats.dto.js';
import { SystemStateDto } from '../dto/system.dto.js';
import { SystemStateService } from './system-state.service.js';

const DEFAULT_DAYS = 30;

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
  @ApiJson('Get the totals of the site', AdminStatsDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async stats(@CurrentViewer() { userId }: Viewer, @Query() dto: TimeZoneQueryDto): Promise<AdminStatsDto> {
    return this.figures.getTotals(await this.users.getTimeZone(userId, dto.timeZone));
  }

  @Get('stats/days')
  @AdminOnly()
  @ApiJson('Get the daily figures of the site, oldest first', [AdminDayDto])
  @ApiQuery({ name: 'days', required: false, schema: { type: 'integer', minimum: 1, maximum: 366 } })
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async days(
    @CurrentViewer() { userId }: Viewer,
    @Query() { days = DEFAULT_DAYS, timeZone }: DaysQueryDto,
  ): Promise<AdminDayDto[]> {
    return this.figures.getSeries(days, await this.users.getTimeZone(userId, timeZone));
  }

  @Get('system')
  @AdminOnly()
  @ApiJson('Get the system state: versions, sizes, queues', SystemStateDto)
  system(): Promise<SystemStateDto> {
    return this.systems.getState();
  }
}
