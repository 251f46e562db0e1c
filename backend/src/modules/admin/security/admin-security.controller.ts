import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../../platform/http/access.decorator.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { Answers, AnswersAdminPage } from '../../../platform/http/answers.decorator.js';
import { SecurityDayDto, SecurityEventDto, SecurityQueryDto } from '../dto/admin-lists.dto.js';
import { SecurityEvents } from './security-events.service.js';

@ApiTags('admin')
@Controller('api/admin/security')
export class AdminSecurityController {
  constructor(private readonly events: SecurityEvents) {}

  @Get('events')
  @AdminOnly()
  @AnswersAdminPage('List the security events: one row per type, day, person and network', SecurityEventDto)
  list(@Query() query: SecurityQueryDto): Promise<AdminPage<SecurityEventDto>> {
    return this.events.page(query);
  }

  @Get('days')
  @AdminOnly()
  @Answers('Count the security events by day for the last 30 days', [SecurityDayDto])
  days(): Promise<SecurityDayDto[]> {
    return this.events.days();
  }
}
