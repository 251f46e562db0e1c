import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { drawingErrors } from '../../../platform/drawing/drawing.errors.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { PictureRate } from '../../../platform/http/limits/picture-rate.decorator.js';
import type { AppRequest, Viewer } from '../../../platform/http/reading/viewer.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { CurrentFile, FileAccess } from '../access/file-access.guard.js';
import type { ViewedFile } from '../access/file-access.service.js';
import { fileAbilities } from '../access/file.policy.js';
import { PageTextDto, TextHitDto, TextQueryDto } from '../dto/page-text.dto.js';
import { fileErrors } from '../files.errors.js';
import { LockedDocuments } from './locked/locked-documents.service.js';
import { ApiPageNumber, PageNumber } from './page-number.pipe.js';
import { PageTexts } from './page-texts.service.js';

@ApiTags('files')
@Controller('api/files')
export class TextsController {
  constructor(
    private readonly texts: PageTexts,
    private readonly locked: LockedDocuments,
  ) {}

  @Get(':id/pages/search')
  @FileAccess('read')
  @ApiOperation({ summary: 'Search the text of a document; returns up to 500 matches by page' })
  @ApiOkResponse({ type: [TextHitDto] })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.PAGE_NOT_FOUND, fileErrors.DOCUMENT_NOT_READY)
  @ApiErrors(fileErrors.DOCUMENT_FAILED, fileErrors.DOCUMENT_LOCKED, fileErrors.LOCKED_NOT_SEARCHED)
  @ApiErrors(fileErrors.TEXT_NOT_ALLOWED, commonErrors.TOO_MANY_REQUESTS)
  @ApiErrors(drawingErrors.DRAWING_BUSY, storageErrors.STORAGE_UNAVAILABLE)
  async search(
    @CurrentFile() file: ViewedFile,
    @Query() { q }: TextQueryDto,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: AppRequest,
  ): Promise<TextHitDto[]> {
    assertText(file);
    if ((await this.locked.opened(request, file)) !== null) throw fileErrors.LOCKED_NOT_SEARCHED();
    return this.texts.search(file, q, userId);
  }

  @Get(':id/pages/:page/text')
  @FileAccess('read')
  @PictureRate()
  @ApiPageNumber()
  @ApiOperation({ summary: 'Get the words of a page with their positions, and its links' })
  @ApiOkResponse({ type: PageTextDto })
  @ApiErrors(fileErrors.PAGE_NOT_FOUND, fileErrors.DOCUMENT_NOT_READY, fileErrors.DOCUMENT_FAILED)
  @ApiErrors(fileErrors.DOCUMENT_LOCKED, fileErrors.PAGE_FAILED, fileErrors.TEXT_NOT_ALLOWED)
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS, drawingErrors.DRAWING_BUSY, storageErrors.STORAGE_UNAVAILABLE)
  async text(
    @CurrentFile() file: ViewedFile,
    @PageNumber() page: number,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageTextDto> {
    assertText(file);
    const unlocked = await this.locked.opened(request, file);
    if (unlocked === null) return this.texts.find(file, page, userId);
    response.setHeader('Cache-Control', 'private, no-store');
    return this.locked.text(unlocked, page, userId);
  }
}

function assertText(file: ViewedFile): void {
  if (!fileAbilities({ ...file, readOnly: file.mountId !== null }).text) throw fileErrors.TEXT_NOT_ALLOWED();
}
