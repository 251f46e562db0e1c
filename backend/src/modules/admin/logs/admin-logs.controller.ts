import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Language } from '../../../platform/errors/app-error.js';
import { AdminOnly, Confirmed } from '../../../platform/http/access.decorator.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { Answers, AnswersAdminPage, AnswersCsv } from '../../../platform/http/answers.decorator.js';
import { plainColumns } from '../../../platform/http/lists/csv-file.js';
import { RequestLanguage } from '../../../platform/http/reading/language.js';
import { CurrentActor, type Actor } from '../actor.js';
import { AdminActivityDto, AuditEntryDto } from '../dto/admin-lists.dto.js';
import { LogQueryDto } from '../dto/list-query.dto.js';
import { ExportService } from '../export.service.js';
import { ActivityLogService } from './activity-log.service.js';
import { AuditLogService } from './audit-log.service.js';

@ApiTags('admin')
@Controller('api/admin')
export class AdminLogsController {
  constructor(
    private readonly activity: ActivityLogService,
    private readonly audit: AuditLogService,
    private readonly exports: ExportService,
  ) {}

  @Get('activity')
  @AdminOnly()
  @AnswersAdminPage('List the activity of all zones', AdminActivityDto)
  activityList(
    @Query() query: LogQueryDto,
    @RequestLanguage() language: Language,
  ): Promise<AdminPage<AdminActivityDto>> {
    return this.activity.page(query, language);
  }

  @Get('activity/types')
  @AdminOnly()
  @Answers('List the activity types', [String])
  activityTypes(): string[] {
    return this.activity.types();
  }

  @Get('activity/export')
  @AdminOnly()
  @Confirmed()
  @AnswersCsv('Export the activity of all zones as a CSV file, with the same filters', commonErrors.VALIDATION_FAILED)
  exportActivity(
    @Query() query: LogQueryDto,
    @CurrentActor() by: Actor,
    @RequestLanguage() language: Language,
  ): Promise<StreamableFile> {
    return this.exports.start('activity', by, this.activity.all(query, language), {
      ...plainColumns('id', 'createdAt', 'type', 'userEmail', 'message'),
    });
  }

  @Get('audit-log')
  @AdminOnly()
  @AnswersAdminPage('List the audit log, which is kept permanently', AuditEntryDto)
  auditList(@Query() query: LogQueryDto): Promise<AdminPage<AuditEntryDto>> {
    return this.audit.page(query);
  }

  @Get('audit-log/types')
  @AdminOnly()
  @Answers('List the entry types of the audit log', [String])
  auditTypes(): Promise<string[]> {
    return this.audit.types();
  }

  @Get('audit-log/export')
  @AdminOnly()
  @Confirmed()
  @AnswersCsv('Export the audit log as a CSV file, with the same filters', commonErrors.VALIDATION_FAILED)
  exportAudit(@Query() query: LogQueryDto, @CurrentActor() by: Actor): Promise<StreamableFile> {
    return this.exports.start('audit-log', by, this.audit.all(query), {
      ...plainColumns('id', 'createdAt', 'type', 'actorId', 'actorEmail', 'subjectId', 'subjectEmail'),
      params: ({ params }) => JSON.stringify(params),
      ipAddress: ({ ipAddress }) => ipAddress,
    });
  }
}
