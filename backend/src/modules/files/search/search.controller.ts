import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ApiList, sendPage } from '../../../platform/http/lists/list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { CurrentZone, ZoneAccess } from '../../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { DocumentHitsDto, DocumentSearchQueryDto, SearchHitDto, SearchQueryDto } from '../dto/search.dto.js';
import { FileSearchService } from './file-search.service.js';
import { FullTextSearchService } from './full-text-search.service.js';

/** Default number of documents per search. */
const DEFAULT_DOCUMENTS = 20;

@ApiTags('search')
@Controller('api')
export class SearchController {
  constructor(
    private readonly fileSearch: FileSearchService,
    private readonly fullTextSearch: FullTextSearchService,
  ) {}

  @Get('zones/:id/search')
  @ZoneAccess('read')
  @ApiList()
  @ApiOperation({ summary: 'Search files and folders of a zone by name, including mirrors' })
  @ApiOkResponse({ type: [SearchHitDto] })
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async inZone(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Query() query: SearchQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SearchHitDto[]> {
    return sendPage(response, await this.fileSearch.searchByName(userId, zone.id, query));
  }

  @Get('zones/:id/search/texts')
  @ZoneAccess('read')
  @ApiOperation({ summary: 'Search the text of documents in a zone, including mirrors' })
  @ApiOkResponse({ type: DocumentHitsDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  textsInZone(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Query() { q, limit = DEFAULT_DOCUMENTS }: DocumentSearchQueryDto,
  ): Promise<DocumentHitsDto> {
    return this.fullTextSearch.searchTexts(userId, zone.id, q, limit);
  }

  @Get('search/texts')
  @SignedIn()
  @ApiOperation({ summary: 'Search the text of documents in all your zones' })
  @ApiOkResponse({ type: DocumentHitsDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.TOO_MANY_REQUESTS)
  textsEverywhere(
    @CurrentViewer() { userId }: Viewer,
    @Query() { q, limit = DEFAULT_DOCUMENTS }: DocumentSearchQueryDto,
  ): Promise<DocumentHitsDto> {
    return this.fullTextSearch.searchTexts(userId, null, q, limit);
  }

  @Get('search')
  @SignedIn()
  @ApiList()
  @ApiOperation({ summary: 'Search files and folders by name in all your zones' })
  @ApiOkResponse({ type: [SearchHitDto] })
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async everywhere(
    @CurrentViewer() { userId }: Viewer,
    @Query() query: SearchQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SearchHitDto[]> {
    return sendPage(response, await this.fileSearch.searchByName(userId, null, query));
  }
}
