import { Controller, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
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
import { FileAccessService } from '../access/file-access.service.js';
import { DocumentDto, PageQueryDto } from '../dto/document.dto.js';
import { fileErrors } from '../files.errors.js';
import { ContentDeliveryService, userReader } from '../reading/content-delivery.service.js';
import { sendUncached } from '../shared/send-image.js';
import { LockedDocumentService } from './locked/locked-document.service.js';
import { ApiPageNumber, PageNumber } from './page-number.decorator.js';
import { DocumentPageService } from './document-page.service.js';
import { PageResponseService } from './page-response.service.js';

@ApiTags('files')
@Controller('api/files')
export class PagesController {
  constructor(
    private readonly access: FileAccessService,
    private readonly documentPage: DocumentPageService,
    private readonly pageResponse: PageResponseService,
    private readonly lockedDocument: LockedDocumentService,
    private readonly contentDelivery: ContentDeliveryService,
  ) {}

  @Get(':id/pages')
  @FileAccess('read')
  @ApiOperation({ summary: 'Get the pages of a document and the state of its preparation' })
  @ApiOkResponse({ type: DocumentDto })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS, renderingErrors.DRAWING_BUSY, storageErrors.STORAGE_UNAVAILABLE)
  async list(
    @CurrentFile() file: AccessibleFile,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: AppRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DocumentDto> {
    const unlocked = await this.lockedDocument.findUnlocked(request, file);
    const recordsReading = await this.access.isReadingRecorded(file, userId);
    if (unlocked === null) return { ...(await this.documentPage.describeDocument(file)), recordsReading };
    response.setHeader('Cache-Control', 'private, no-store');
    return { ...(await this.lockedDocument.describeDocument(unlocked, file, userId)), recordsReading };
  }

  @Get(':id/pages/:page')
  @FileAccess('read')
  @ThumbnailRate()
  @ApiPageNumber()
  @ApiProduces('image/webp')
  @ApiHeader({ name: 'If-None-Match', required: false })
  @ApiOperation({
    summary: 'Get a page of a document as a picture, rendered on first use; the first page counts as a view',
  })
  @ApiResponse({ status: 200, description: 'The picture', schema: { type: 'string', format: 'binary' } })
  @ApiResponse({ status: 304, description: 'Unchanged' })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.PAGE_NOT_FOUND, fileErrors.DOCUMENT_NOT_READY)
  @ApiErrors(fileErrors.DOCUMENT_FAILED, fileErrors.DOCUMENT_LOCKED, fileErrors.PAGE_FAILED)
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  @ApiErrors(renderingErrors.DRAWING_BUSY, storageErrors.STORAGE_UNAVAILABLE)
  async page(
    @CurrentFile() file: AccessibleFile,
    @PageNumber() page: number,
    @Query() { width = 1200, strip }: PageQueryDto,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<void> {
    const isView = page === 1 && strip === undefined && request.method !== 'HEAD';
    const reader = userReader(userId);
    const count = async () => void (isView && (await this.contentDelivery.countOpenings([file], 'view', reader)));
    const unlocked = await this.lockedDocument.findUnlocked(request, file);
    if (unlocked !== null) {
      const bytes = await this.lockedDocument.renderPage(unlocked, { page, width, userId });
      await count();
      return sendUncached(response, bytes);
    }
    await this.pageResponse.sendPage(file, { page, width, queueKey: userId }, request, response, count);
  }

  @Post(':id/pages/retry')
  @FileAccess('manage')
  @HttpCode(204)
  @ApiOperation({ summary: 'Retry preparing a document that failed' })
  @ApiNoContentResponse()
  @ApiErrors(fileErrors.PAGE_NOT_FOUND)
  retry(@CurrentFile() file: AccessibleFile): Promise<void> {
    return this.documentPage.retryRendering(file);
  }
}
