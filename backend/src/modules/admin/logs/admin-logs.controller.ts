import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Language } from '../../../platform/errors/app-error.js';
import { AdminOnly, RequireReauthentication } from '../../../platform/http/access.decorator.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { ApiJson, ApiAdminPaginated, ApiCsv } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { fieldColumns } from '../../../platform/http/lists/csv-file.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import { RequestLanguage } from '../../../platform/http/parsing/request-language.js';
import { CurrentActor, type Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { AdminActivityDto, AuditEntryDto } from '../dto/admin-lists.dto.js';
import { LogQueryDto } from '../dto/list-query.dto.js';
import { ListExportService } from '../list-export.service.js';
import { ActivityLogService } from './activity-log.service.js';
import { AuditLogRepository } from './audit-log.repository.js';

@ApiTags('admin')
@Controller('api/admin')
export class AdminLogsController {
  constructor(
    private readonly activity: ActivityLogService,
    private readonly audit: AuditLogRepository,
    private readonly exports: ListExportService,
  ) {}

  @Get('activity')
  @AdminOnly()
  @ApiAdminPaginated('List the activity of all zones', AdminActivityDto)
  activityList(
    @Query() query: LogQueryDto,
    @RequestLanguage() language: Language,
  ): Promise<AdminPage<AdminActivityDto>> {
    return this.activity.listPage(query, language);
  }

  @Get('activity/types')
  @AdminOnly()
  @ApiJson('List the activity types', [String])
  activityTypes(): string[] {
    return this.activity.listTypes();
  }

  @Get('activity/export')
  @AdminOnly()
  @RequireReauthentication()
  @ApiCsv('Export the activity of all zones as a CSV file, with the same filters', commonErrors.VALIDATION_FAILED)
  exportActivity(
    @Query() query: LogQueryDto,
    @CurrentActor() actor: Actor,
    @RequestLanguage() language: Language,
  ): Promise<StreamableFile> {
    return this.exports.exportList('activity', actor, this.activity.streamAll(query, language), {
      ...fieldColumns('id', 'createdAt', 'type', 'userEmail', 'message'),
    });
  }

  @Get('audit-log')
  @AdminOnly()
  @ApiAdminPaginated('List the audit log, which is kept permanently', AuditEntryDto)
  auditList(@Query() query: LogQueryDto): Promise<AdminPage<AuditEntryDto>> {
    return this.audit.findPage(query);
  }

  @Get('audit-log/types')
  @AdminOnly()
  @ApiJson('List the entry types of the audit log', [String])
  auditTypes(): Promise<string[]> {
    return this.audit.findTypes();
  }

  @Get('audit-log/export')
  @AdminOnly()
  @RequireReauthentication()
  @ApiCsv('Export the audit log as a CSV file, with the same filters', commonErrors.VALIDATION_FAILED)
  exportAudit(@Query() query: LogQueryDto, @CurrentActor() actor: Actor): Promise<StreamableFile> {
    return this.exports.exportList('audit-log', actor, this.audit.streamAll(query), {
      ...fieldColumns('id', 'createdAt', 'type', 'actorId', 'actorEmail', 'subjectId', 'subjectEmail'),
      params: ({ params }) => JSON.stringify(params),
      ipAddress: ({ ipAddress }) => ipAddress,
    });
  }

  @Get('audit-log/:id')
  @AdminOnly()
  @ApiJson('Get an entry of the audit log', AuditEntryDto)
  @ApiErrors(adminErrors.AUDIT_ENTRY_NOT_FOUND)
  async auditEntry(@IdParam() id: number): Promise<AuditEntryDto> {
    const entry = await this.audit.findEntry(id);
    if (!entry) throw adminErrors.AUDIT_ENTRY_NOT_FOUND();
    return entry;
  }
}
