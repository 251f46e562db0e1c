import { Controller, Get, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Language } from '../../../platform/errors/app-error.js';
import { AdminOnly, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiAdminList, sendAdminPage } from '../../../platform/http/admin-list.js';
import { RequestLanguage } from '../../../platform/http/language.js';
import type { AppRequest, Viewer } from '../../../platform/http/viewer.js';
import { actorOf } from '../actor.js';
import { AdminActivityDto, AuditEntryDto } from '../dto/admin-lists.dto.js';
import { LogQueryDto } from '../dto/list-query.dto.js';
import { ApiCsv, ApiTotal, ExportService } from '../export.service.js';
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
  @ApiAdminList()
  @ApiOperation({ summary: 'What happens in all zones' })
  @ApiOkResponse({ type: [AdminActivityDto], headers: ApiTotal })
  async activityList(
    @Query() query: LogQueryDto,
    @RequestLanguage() language: Language,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AdminActivityDto[]> {
    return sendAdminPage(response, await this.activity.page(query, language));
  }

  @Get('activity/types')
  @AdminOnly()
  @ApiOperation({ summary: 'The kinds of what happens' })
  @ApiOkResponse({ type: [String] })
  activityTypes(): string[] {
    return this.activity.types();
  }

  @Get('activity/export')
  @AdminOnly()
  @ApiOperation({ summary: 'What happens in all zones as a CSV file, by the same filters' })
  @ApiCsv()
  exportActivity(
    @Query() query: LogQueryDto,
    @CurrentViewer() viewer: Viewer,
    @RequestLanguage() language: Language,
    @Req() request: AppRequest,
  ): Promise<StreamableFile> {
    return this.exports.start('activity', actorOf(viewer, request), this.activity.all(query, language), {
      id: ({ id }) => id,
      createdAt: ({ createdAt }) => createdAt,
      type: ({ type }) => type,
      userEmail: ({ userEmail }) => userEmail,
      message: ({ message }) => message,
    });
  }

  @Get('audit-log')
  @AdminOnly()
  @ApiAdminList()
  @ApiOperation({ summary: 'Who did what to whom, for good' })
  @ApiOkResponse({ type: [AuditEntryDto], headers: ApiTotal })
  async auditList(
    @Query() query: LogQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AuditEntryDto[]> {
    return sendAdminPage(response, await this.audit.page(query));
  }

  @Get('audit-log/types')
  @AdminOnly()
  @ApiOperation({ summary: 'The kinds of entries that the audit log holds' })
  @ApiOkResponse({ type: [String] })
  auditTypes(): Promise<string[]> {
    return this.audit.types();
  }

  @Get('audit-log/export')
  @AdminOnly()
  @ApiOperation({ summary: 'The audit log as a CSV file, by the same filters' })
  @ApiCsv()
  exportAudit(
    @Query() query: LogQueryDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<StreamableFile> {
    return this.exports.start('audit-log', actorOf(viewer, request), this.audit.all(query), {
      id: ({ id }) => id,
      createdAt: ({ createdAt }) => createdAt,
      type: ({ type }) => type,
      actorId: ({ actorId }) => actorId,
      actorEmail: ({ actorEmail }) => actorEmail,
      subjectId: ({ subjectId }) => subjectId,
      subjectEmail: ({ subjectEmail }) => subjectEmail,
      params: ({ params }) => JSON.stringify(params),
      ipAddress: ({ ipAddress }) => ipAddress,
    });
  }
}
