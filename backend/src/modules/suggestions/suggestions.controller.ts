import { Body, Controller, Delete, Get, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { AdminOnly, CurrentViewer, SignedIn, SuperAdminOnly } from '../../platform/http/access.decorator.js';
import {
  ApiTotal,
  ApiPaginated,
  ApiJson,
  ApiCreated,
  ApiNoContent,
} from '../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { NonEmptyBody } from '../../platform/http/non-empty-body.decorator.js';
import { IdParam } from '../../platform/http/parsing/id.pipe.js';
import { type Page } from '../../platform/http/lists/list.js';
import type { AppRequest, Viewer } from '../../platform/http/parsing/viewer.js';
import { getSessionOrigin } from '../auth/sessions/session-cookie.service.js';
import {
  CreateSuggestionDto,
  SuggestionDto,
  SuggestionQueryDto,
  UpdateSuggestionDto,
  SimilarQueryDto,
  SuggestionWordsDto,
} from './dto/suggestion.dto.js';
import { OwnSuggestionService } from './own/own-suggestion.service.js';
import { SuggestionListService } from './suggestion-list.service.js';
import { SuggestionService } from './suggestion.service.js';
import { suggestionErrors } from './suggestions.errors.js';
import { VoteService } from './vote.service.js';

const toActingAdmin = (viewer: Viewer, request: AppRequest) => ({
  viewer,
  ipAddress: getSessionOrigin(request).ipAddress,
});

@ApiTags('suggestions')
@Controller('api')
export class SuggestionsController {
  constructor(
    private readonly suggestions: SuggestionService,
    private readonly lists: SuggestionListService,
    private readonly own: OwnSuggestionService,
    private readonly votes: VoteService,
  ) {}

  @Get('feature-suggestions')
  @SignedIn()
  @ApiPaginated('List the feature suggestions', SuggestionDto, ApiTotal)
  list(@Query() query: SuggestionQueryDto, @CurrentViewer() viewer: Viewer): Promise<Page<SuggestionDto>> {
    return this.lists.listBoard(viewer, query);
  }

  @Get('feature-suggestions/similar')
  @SignedIn()
  @ApiJson('List up to five suggestions similar to a title', [SuggestionDto])
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  similar(@Query() { title }: SimilarQueryDto, @CurrentViewer() viewer: Viewer): Promise<SuggestionDto[]> {
    return this.lists.findSimilar(viewer, title);
  }

  @Post('feature-suggestions')
  @SignedIn()
  @ApiCreated('Submit a suggestion; at most ten per hour', SuggestionDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  create(@Body() dto: CreateSuggestionDto, @CurrentViewer() viewer: Viewer): Promise<SuggestionDto> {
    return this.suggestions.createSuggestion(viewer, dto);
  }

  @Post('feature-suggestions/:id/vote')
  @SignedIn()
  @ApiJson('Vote for a suggestion', SuggestionDto)
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND, suggestionErrors.SUGGESTION_REJECTED)
  @ApiErrors(suggestionErrors.SUGGESTION_MERGED)
  async vote(@IdParam() id: number, @CurrentViewer() viewer: Viewer): Promise<SuggestionDto> {
    await this.votes.addVote(id, viewer.userId);
    return this.lists.findOne(id, viewer);
  }

  @Delete('feature-suggestions/:id/vote')
  @SignedIn()
  @ApiNoContent('Remove your vote')
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND)
  unvote(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.votes.removeVote(id, userId);
  }

  @Patch('feature-suggestions/:id/words')
  @SignedIn()
  @ApiJson("Edit your own suggestion while it's pending", SuggestionDto)
  @ApiErrors(
    commonErrors.VALIDATION_FAILED,
    commonErrors.NOTHING_TO_CHANGE,
    suggestionErrors.SUGGESTION_NOT_FOUND,
    suggestionErrors.SUGGESTION_OF_ANOTHER,
    suggestionErrors.SUGGESTION_NOT_PENDING,
    suggestionErrors.SUGGESTION_MERGED,
  )
  reword(
    @IdParam() id: number,
    @NonEmptyBody() words: SuggestionWordsDto,
    @CurrentViewer() viewer: Viewer,
  ): Promise<SuggestionDto> {
    return this.own.updateWording(id, words, viewer);
  }

  @Post('feature-suggestions/:id/withdraw')
  @SignedIn()
  @ApiNoContent("Withdraw your own suggestion while it's pending")
  @ApiErrors(
    suggestionErrors.SUGGESTION_NOT_FOUND,
    suggestionErrors.SUGGESTION_OF_ANOTHER,
    suggestionErrors.SUGGESTION_NOT_PENDING,
    suggestionErrors.SUGGESTION_MERGED,
  )
  withdraw(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.own.withdrawSuggestion(id, userId);
  }

  @Patch('feature-suggestions/:id')
  @AdminOnly()
  @ApiJson('Change the status, priority, notes and estimate of a suggestion', SuggestionDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.NOTHING_TO_CHANGE)
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND, suggestionErrors.SUGGESTION_MERGED)
  update(
    @IdParam() id: number,
    @NonEmptyBody() dto: UpdateSuggestionDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<SuggestionDto> {
    return this.suggestions.updateSuggestion(id, dto, toActingAdmin(viewer, request));
  }

  @Delete('feature-suggestions/:id')
  @SuperAdminOnly()
  @ApiNoContent('Delete a suggestion and its votes')
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND)
  delete(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.suggestions.deleteSuggestion(id, toActingAdmin(viewer, request));
  }
}
