import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { AdminOnly, CurrentViewer, SignedIn, SuperAdminOnly } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { Change } from '../../platform/http/change.decorator.js';
import { IdParam } from '../../platform/http/id.pipe.js';
import { ApiList, sendPage } from '../../platform/http/list.js';
import type { AppRequest, Viewer } from '../../platform/http/viewer.js';
import { originOf } from '../auth/session-cookie.service.js';
import { CreateSuggestionDto, SuggestionDto, SuggestionQueryDto, UpdateSuggestionDto } from './dto/suggestion.dto.js';
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
    private readonly votes: VoteService,
  ) {}

  @Get('feature-suggestions')
  @SignedIn()
  @ApiList()
  @ApiOperation({ summary: 'What people wish of the product' })
  @ApiOkResponse({ type: [SuggestionDto], headers: { 'X-Total-Count': { schema: { type: 'integer' } } } })
  async list(
    @Query() query: SuggestionQueryDto,
    @CurrentViewer() viewer: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SuggestionDto[]> {
    return sendPage(response, await this.lists.list(viewer, query));
  }

  @Post('feature-suggestions')
  @SignedIn()
  @ApiOperation({ summary: 'Suggest something; ten an hour' })
  @ApiCreatedResponse({ type: SuggestionDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  create(@Body() dto: CreateSuggestionDto, @CurrentViewer() viewer: Viewer): Promise<SuggestionDto> {
    return this.suggestions.create(viewer, dto);
  }

  @Post('feature-suggestions/:id/vote')
  @SignedIn()
  @HttpCode(200)
  @ApiOperation({ summary: 'Vote for a suggestion, once' })
  @ApiOkResponse({ type: SuggestionDto })
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND)
  async vote(@IdParam() id: number, @CurrentViewer() viewer: Viewer): Promise<SuggestionDto> {
    await this.votes.add(id, viewer.userId);
    return this.lists.one(id, viewer);
  }

  @Delete('feature-suggestions/:id/vote')
  @SignedIn()
  @HttpCode(204)
  @ApiOperation({ summary: 'Take your vote back' })
  @ApiNoContentResponse()
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND)
  unvote(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.votes.remove(id, userId);
  }

  @Patch('feature-suggestions/:id')
  @AdminOnly()
  @ApiOperation({ summary: 'Change the status, the priority, notes and plans of a suggestion' })
  @ApiOkResponse({ type: SuggestionDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.NOTHING_TO_CHANGE, suggestionErrors.SUGGESTION_NOT_FOUND)
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
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a suggestion and its votes' })
  @ApiNoContentResponse()
  @ApiErrors(suggestionErrors.SUGGESTION_NOT_FOUND)
  delete(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.suggestions.delete(id, operator(viewer, request));
  }
}
