import { Body, Controller, Delete, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AdminOnly, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { Answers } from '../../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/reading/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/reading/viewer.js';
import { originOf } from '../../auth/sessions/session-cookie.service.js';
import { SuggestionDto, MergeSuggestionDto } from '../dto/suggestion.dto.js';
import { suggestionErrors } from '../suggestions.errors.js';
import { SuggestionMerger } from './suggestion-merger.service.js';

const operator = (viewer: Viewer, request: AppRequest) => ({ viewer, ipAddress: originOf(request).ipAddress });

@ApiTags('suggestions')
@Controller('api/feature-suggestions/:id/merge')
export class MergesController {
  constructor(private readonly merger: SuggestionMerger) {}

  @Post()
  @AdminOnly()
  @Answers('Merge a suggestion into another one, which counts the votes of both', SuggestionDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, suggestionErrors.SUGGESTION_NOT_FOUND)
  @ApiErrors(suggestionErrors.SUGGESTION_MERGED, suggestionErrors.SUGGESTION_HAS_MERGED)
  merge(
    @IdParam() id: number,
    @Body() { intoId }: MergeSuggestionDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<SuggestionDto> {
    return this.merger.merge(id, intoId, operator(viewer, request));
  }

  @Delete()
  @AdminOnly()
  @Answers('Undo a merge; both suggestions have their own votes again', SuggestionDto)
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND, suggestionErrors.SUGGESTION_NOT_MERGED)
  unmerge(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<SuggestionDto> {
    return this.merger.unmerge(id, operator(viewer, request));
  }
}
