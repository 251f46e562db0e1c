import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { renderingErrors } from '../../../platform/rendering/rendering.errors.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ThumbnailRate } from '../../../platform/http/limits/thumbnail-rate.decorator.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { CurrentFile, FileAccess } from '../access/file-access.guard.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { fileAbilities } from '../access/file.policy.js';
import { PageTextDto, TextHitDto, TextQueryDto } from '../dto/page-text.dto.js';
import { fileErrors } from '../files.errors.js';
import { LockedDocumentService } from './locked/locked-document.service.js';
import { ApiPageNumber, PageNumber } from './page-number.decorator.js';
import { PageTextService } from './page-text.service.js';

@ApiTags('files')
@Controller('api/files')
export class TextsController {
  constructor(
    private readonly pageText: PageTextService,
    private readonly lockedDocument: LockedDocumentService,
  ) {}

  @Get(':id/pages/search')
  @FileAccess('read')
  @ApiOperation({ summary: 'Search the text of a document; returns up to 500 matches by page' })
  @ApiOkResponse({ type: [TextHitDto] })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.PAGE_NOT_FOUND, fileErrors.DOCUMENT_NOT_READY)
  @ApiErrors(fileErrors.DOCUMENT_FAILED, fileErrors.DOCUMENT_LOCKED, fileErrors.LOCKED_NOT_SEARCHED)
  @ApiErrors(fileErrors.TEXT_NOT_ALLOWED, commonErrors.TOO_MANY_REQUESTS)
  @ApiErrors(renderingErrors.DRAWING_BUSY, storageErrors.STORAGE_UNAVAILABLE)
  async search(
    @CurrentFile() file: AccessibleFile,
    @Query() { q }: TextQueryDto,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: AppRequest,
  ): Promise<TextHitDto[]> {
    assertTextAllowed(file);
    if ((await this.lockedDocument.findUnlocked(request, file)) !== null) throw fileErrors.LOCKED_NOT_SEARCHED();
    return this.pageText.searchDocument(file, q, userId);
  }

  @Get(':id/pages/:page/text')
  @FileAccess('read')
  @ThumbnailRate()
  @ApiPageNumber()
  @ApiOperation({ summary: 'Get the words of a page with their positions, and its links' })
  @ApiOkResponse({ type: PageTextDto })
  @ApiErrors(fileErrors.PAGE_NOT_FOUND, fileErrors.DOCUMENT_NOT_READY, fileErrors.DOCUMENT_FAILED)
  @ApiErrors(fileErrors.DOCUMENT_LOCKED, fileErrors.PAGE_FAILED, fileErrors.TEXT_NOT_ALLOWED)
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS, renderingErrors.DRAWING_BUSY, storageErrors.STORAGE_UNAVAILABLE)
  async text(
    @CurrentFile() file: AccessibleFile,
    @PageNumber() page: number,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageTextDto> {
    assertTextAllowed(file);
    const unlocked = await this.lockedDocument.findUnlocked(request, file);
    if (unlocked === null) return this.pageText.findText(file, page, userId);
    response.setHeader('Cache-Control', 'private, no-store');
    return this.lockedDocument.extractText(unlocked, page, userId);
  }
}

function assertTextAllowed(file: AccessibleFile): void {
  if (!fileAbilities({ ...file, readOnly: file.mountId !== null }).text) throw fileErrors.TEXT_NOT_ALLOWED();
}
