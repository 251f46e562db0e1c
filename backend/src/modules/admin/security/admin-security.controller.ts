import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../../platform/http/access.decorator.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { ApiJson, ApiAdminPaginated } from '../../../platform/http/api-response.decorator.js';
import { SecurityDayDto, SecurityEventDto, SecurityQueryDto } from '../dto/admin-lists.dto.js';
import { SecurityDayService } from './security-day.service.js';
import { SecurityEventListRepository } from './security-event-list.repository.js';

@ApiTags('admin')
@Controller('api/admin/security')
export class AdminSecurityController {
  constructor(
    private readonly events: SecurityEventListRepository,
    private readonly securityDays: SecurityDayService,
  ) {}

  @Get('events')
  @AdminOnly()
  @ApiAdminPaginated('List the security events: one row per type, day, person and network', SecurityEventDto)
  list(@Query() query: SecurityQueryDto): Promise<AdminPage<SecurityEventDto>> {
    return this.events.findPage(query);
  }

  @Get('days')
  @AdminOnly()
  @ApiJson('Count the security events by day for the last 30 days', [SecurityDayDto])
  days(): Promise<SecurityDayDto[]> {
    return this.securityDays.countByDay();
  }
}
