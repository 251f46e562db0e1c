import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AdminOnly } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { PlatformFiguresService } from '../../insights/platform-figures.service.js';
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
  ) {}

  @Get('stats')
  @AdminOnly()
  @ApiOperation({ summary: 'Totals of the installation' })
  @ApiOkResponse({ type: AdminStatsDto })
  stats(): Promise<AdminStatsDto> {
    return this.figures.totals();
  }

  @Get('stats/days')
  @AdminOnly()
  @ApiOperation({ summary: 'The last days of the installation, the oldest first' })
  @ApiQuery({ name: 'days', required: false, schema: { type: 'integer', minimum: 1, maximum: 366 } })
  @ApiOkResponse({ type: [AdminDayDto] })
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  days(@Query() { days = DAYS }: DaysQueryDto): Promise<AdminDayDto[]> {
    return this.figures.series(days);
  }

  @Get('system')
  @AdminOnly()
  @ApiOperation({ summary: 'How the installation is doing: versions, sizes, queues' })
  @ApiOkResponse({ type: SystemStateDto })
  system(): Promise<SystemStateDto> {
    return this.systems.state();
  }
}
