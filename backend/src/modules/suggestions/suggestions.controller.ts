import { Body, Controller, Delete, Get, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { AdminOnly, CurrentViewer, SignedIn, SuperAdminOnly } from '../../platform/http/access.decorator.js';
import {
  ApiTotal,
  AnswersPage,
  Answers,
  AnswersCreated,
  AnswersNothing,
} from '../../platform/http/answers.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { Change } from '../../platform/http/change.decorator.js';
import { IdParam } from '../../platform/http/reading/id.pipe.js';
import { type Page } from '../../platform/http/lists/list.js';
import type { AppRequest, Viewer } from '../../platform/http/reading/viewer.js';
import { originOf } from '../auth/sessions/session-cookie.service.js';
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

const operator = (viewer: Viewer, request: AppRequest) => ({ viewer, ipAddress: originOf(request).ipAddress });

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
  @AnswersPage('List the feature suggestions', SuggestionDto, ApiTotal)
  list(@Query() query: SuggestionQueryDto, @CurrentViewer() viewer: Viewer): Promise<Page<SuggestionDto>> {
    return this.lists.list(viewer, query);
  }

  @Get('feature-suggestions/similar')
  @SignedIn()
  @Answers('List up to five suggestions similar to a title', [SuggestionDto])
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  similar(@Query() { title }: SimilarQueryDto, @CurrentViewer() viewer: Viewer): Promise<SuggestionDto[]> {
    return this.lists.similar(viewer, title);
  }

  @Post('feature-suggestions')
  @SignedIn()
  @AnswersCreated('Submit a suggestion; at most ten per hour', SuggestionDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  create(@Body() dto: CreateSuggestionDto, @CurrentViewer() viewer: Viewer): Promise<SuggestionDto> {
    return this.suggestions.create(viewer, dto);
  }

  @Post('feature-suggestions/:id/vote')
  @SignedIn()
  @Answers('Vote for a suggestion', SuggestionDto)
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND, suggestionErrors.SUGGESTION_REJECTED)
  @ApiErrors(suggestionErrors.SUGGESTION_MERGED)
  async vote(@IdParam() id: number, @CurrentViewer() viewer: Viewer): Promise<SuggestionDto> {
    await this.votes.add(id, viewer.userId);
    return this.lists.one(id, viewer);
  }

  @Delete('feature-suggestions/:id/vote')
  @SignedIn()
  @AnswersNothing('Remove your vote')
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND)
  unvote(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.votes.remove(id, userId);
  }

  @Patch('feature-suggestions/:id/words')
  @SignedIn()
  @Answers("Edit your own suggestion while it's pending", SuggestionDto)
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
    @Change() words: SuggestionWordsDto,
    @CurrentViewer() viewer: Viewer,
  ): Promise<SuggestionDto> {
    return this.own.reword(id, words, viewer);
  }

  @Post('feature-suggestions/:id/withdraw')
  @SignedIn()
  @AnswersNothing("Withdraw your own suggestion while it's pending")
  @ApiErrors(
    suggestionErrors.SUGGESTION_NOT_FOUND,
    suggestionErrors.SUGGESTION_OF_ANOTHER,
    suggestionErrors.SUGGESTION_NOT_PENDING,
    suggestionErrors.SUGGESTION_MERGED,
  )
  withdraw(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.own.withdraw(id, userId);
  }

  @Patch('feature-suggestions/:id')
  @AdminOnly()
  @Answers('Change the status, priority, notes and estimate of a suggestion', SuggestionDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.NOTHING_TO_CHANGE)
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND, suggestionErrors.SUGGESTION_MERGED)
  update(
    @IdParam() id: number,
    @Change() dto: UpdateSuggestionDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<SuggestionDto> {
    return this.suggestions.update(id, dto, operator(viewer, request));
  }

  @Delete('feature-suggestions/:id')
  @SuperAdminOnly()
  @AnswersNothing('Delete a suggestion and its votes')
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND)
  delete(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.suggestions.delete(id, operator(viewer, request));
  }
}
