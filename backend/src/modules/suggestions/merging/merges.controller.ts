import { Body, Controller, Delete, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AdminOnly, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiJson } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../../auth/sessions/session-cookie.service.js';
import { SuggestionDto, MergeSuggestionDto } from '../dto/suggestion.dto.js';
import { suggestionErrors } from '../suggestions.errors.js';
import { SuggestionMergeService } from './suggestion-merge.service.js';

const toActingAdmin = (viewer: Viewer, request: AppRequest) => ({
  viewer,
  ipAddress: getSessionOrigin(request).ipAddress,
});

@ApiTags('suggestions')
@Controller('api/feature-suggestions/:id/merge')
export class MergesController {
  constructor(private readonly suggestionMerge: SuggestionMergeService) {}

  @Post()
  @AdminOnly()
  @ApiJson('Merge a suggestion into another one, which counts the votes of both', SuggestionDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, suggestionErrors.SUGGESTION_NOT_FOUND)
  @ApiErrors(suggestionErrors.SUGGESTION_MERGED, suggestionErrors.SUGGESTION_HAS_MERGED)
  merge(
    @IdParam() id: number,
    @Body() { intoId }: MergeSuggestionDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<SuggestionDto> {
    return this.suggestionMerge.mergeSuggestion(id, intoId, toActingAdmin(viewer, request));
  }

  @Delete()
  @AdminOnly()
  @ApiJson('Undo a merge; both suggestions have their own votes again', SuggestionDto)
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND, suggestionErrors.SUGGESTION_NOT_MERGED)
  unmerge(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<SuggestionDto> {
    return this.suggestionMerge.unmergeSuggestion(id, toActingAdmin(viewer, request));
  }
}
