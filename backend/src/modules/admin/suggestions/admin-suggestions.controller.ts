import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly, RequireReauthentication, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { ApiAdminPaginated, ApiCsv } from '../../../platform/http/api-response.decorator.js';
import { fieldColumns } from '../../../platform/http/lists/csv-file.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { AdminSuggestionDto, AdminSuggestionQueryDto } from '../../suggestions/dto/suggestion.dto.js';
import { SuggestionListService } from '../../suggestions/suggestion-list.service.js';
import { CurrentActor, type Actor } from '../actor.js';
import { ListExportService } from '../list-export.service.js';

@ApiTags('admin')
@Controller('api/admin/feature-suggestions')
export class AdminSuggestionsController {
  constructor(
    private readonly suggestions: SuggestionListService,
    private readonly exports: ListExportService,
  ) {}

  @Get()
  @AdminOnly()
  @ApiAdminPaginated('List the suggestions with the email addresses of their submitters', AdminSuggestionDto)
  list(
    @Query() query: AdminSuggestionQueryDto,
    @CurrentViewer() viewer: Viewer,
  ): Promise<AdminPage<AdminSuggestionDto>> {
    return this.suggestions.listForAdmin(viewer, query);
  }

  @Get('export')
  @AdminOnly()
  @RequireReauthentication()
  @ApiCsv('Export the suggestions as a CSV file, with the same filters', commonErrors.VALIDATION_FAILED)
  export(
    @Query() query: AdminSuggestionQueryDto,
    @CurrentViewer() viewer: Viewer,
    @CurrentActor() actor: Actor,
  ): Promise<StreamableFile> {
    return this.exports.exportList('suggestions', actor, this.suggestions.streamAll(viewer, query), {
      ...fieldColumns('id', 'title', 'description', 'category', 'status', 'priority'),
      votes: ({ voteCount }) => voteCount,
      ...fieldColumns('submitterEmail', 'adminNotes', 'estimatedHours', 'targetVersion', 'createdAt', 'updatedAt'),
    });
  }
}
