import { Controller, Get, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminOnly, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiAdminList, sendAdminPage } from '../../../platform/http/admin-list.js';
import type { AppRequest, Viewer } from '../../../platform/http/viewer.js';
import { AdminSuggestionDto, AdminSuggestionQueryDto } from '../../suggestions/dto/suggestion.dto.js';
import { SuggestionListService } from '../../suggestions/suggestion-list.service.js';
import { actorOf } from '../actor.js';
import { ApiCsv, ApiTotal, ExportService } from '../export.service.js';

@ApiTags('admin')
@Controller('api/admin/feature-suggestions')
export class AdminSuggestionsController {
  constructor(
    private readonly suggestions: SuggestionListService,
    private readonly exports: ExportService,
  ) {}

  @Get()
  @AdminOnly()
  @ApiAdminList()
  @ApiOperation({ summary: 'Suggestions with the addresses of those who made them' })
  @ApiOkResponse({ type: [AdminSuggestionDto], headers: ApiTotal })
  async list(
    @Query() query: AdminSuggestionQueryDto,
    @CurrentViewer() viewer: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AdminSuggestionDto[]> {
    return sendAdminPage(response, await this.suggestions.adminPage(viewer, query));
  }

  @Get('export')
  @AdminOnly()
  @ApiOperation({ summary: 'Suggestions as a CSV file, by the same filters' })
  @ApiCsv()
  export(
    @Query() query: AdminSuggestionQueryDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<StreamableFile> {
    return this.exports.start('suggestions', actorOf(viewer, request), this.suggestions.all(viewer, query), {
      id: ({ id }) => id,
      title: ({ title }) => title,
      description: ({ description }) => description,
      category: ({ category }) => category,
      status: ({ status }) => status,
      priority: ({ priority }) => priority,
      votes: ({ voteCount }) => voteCount,
      submitterEmail: ({ submitterEmail }) => submitterEmail,
      adminNotes: ({ adminNotes }) => adminNotes,
      estimatedHours: ({ estimatedHours }) => estimatedHours,
      targetVersion: ({ targetVersion }) => targetVersion,
      createdAt: ({ createdAt }) => createdAt,
      updatedAt: ({ updatedAt }) => updatedAt,
    });
  }
}
