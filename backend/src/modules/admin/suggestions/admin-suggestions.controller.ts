import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly, Confirmed, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { AnswersAdminPage, AnswersCsv } from '../../../platform/http/answers.decorator.js';
import { plainColumns } from '../../../platform/http/lists/csv-file.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { AdminSuggestionDto, AdminSuggestionQueryDto } from '../../suggestions/dto/suggestion.dto.js';
import { SuggestionListService } from '../../suggestions/suggestion-list.service.js';
import { CurrentActor, type Actor } from '../actor.js';
import { ExportService } from '../export.service.js';

@ApiTags('admin')
@Controller('api/admin/feature-suggestions')
export class AdminSuggestionsController {
  constructor(
    private readonly suggestions: SuggestionListService,
    private readonly exports: ExportService,
  ) {}

  @Get()
  @AdminOnly()
  @AnswersAdminPage('List the suggestions with the email addresses of their submitters', AdminSuggestionDto)
  list(
    @Query() query: AdminSuggestionQueryDto,
    @CurrentViewer() viewer: Viewer,
  ): Promise<AdminPage<AdminSuggestionDto>> {
    return this.suggestions.adminPage(viewer, query);
  }

  @Get('export')
  @AdminOnly()
  @Confirmed()
  @AnswersCsv('Export the suggestions as a CSV file, with the same filters', commonErrors.VALIDATION_FAILED)
  export(
    @Query() query: AdminSuggestionQueryDto,
    @CurrentViewer() viewer: Viewer,
    @CurrentActor() by: Actor,
  ): Promise<StreamableFile> {
    return this.exports.start('suggestions', by, this.suggestions.all(viewer, query), {
      ...plainColumns('id', 'title', 'description', 'category', 'status', 'priority'),
      votes: ({ voteCount }) => voteCount,
      ...plainColumns('submitterEmail', 'adminNotes', 'estimatedHours', 'targetVersion', 'createdAt', 'updatedAt'),
    });
  }
}
