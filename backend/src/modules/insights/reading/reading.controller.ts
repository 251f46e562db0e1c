import { Body, Controller, Get, HttpCode, Post, Query, Req, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { renderingErrors } from '../../../platform/rendering/rendering.errors.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AllowIncompleteProfile, CurrentViewer, SessionOnly } from '../../../platform/http/access.decorator.js';
import { ApiCsv, ApiJson, ApiPaginated } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ThumbnailRate } from '../../../platform/http/limits/thumbnail-rate.decorator.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { AppRequest, Viewer } from '../../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { CurrentFile, FileAccess } from '../../files/access/file-access.guard.js';
import type { AccessibleFile } from '../../files/access/file-access.repository.js';
import { fileErrors } from '../../files/files.errors.js';
import { LockedDocumentService } from '../../files/pages/locked/locked-document.service.js';
import {
  FileReaderDto,
  FileReadingDto,
  OwnReadingDto,
  ReadingBatchDto,
  ReadingReceiptDto,
} from '../dto/reading.dto.js';
import { createReadersCsv } from '../insights-csv.js';
import { ReadingFiguresRepository } from './reading-figures.repository.js';
import { ReadingService } from './reading.service.js';

@ApiTags('insights')
@Controller('api/files')
export class ReadingController {
  constructor(
    private readonly reading: ReadingService,
    private readonly figures: ReadingFiguresRepository,
    private readonly lockedDocument: LockedDocumentService,
  ) {}

  // Below `pages`, so that the cookie with the password of a document is sent. A class that reads behind one address
  // sends as many of these as it requests pages.
  @Post(':id/pages/reading')
  @FileAccess('read')
  @SessionOnly()
  @AllowIncompleteProfile()
  @ThumbnailRate()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Record which pages a member has read since the last batch',
    description:
      'The web app sends a batch every 15 seconds while pages are visible and the reader is active. ' +
      'At most the time since the last batch of this user, on all devices, is credited, and at most five minutes. ' +
      'Nothing is recorded for owners and zone admins, in zones that don’t record reading, and for members who ' +
      'haven’t agreed to a consent text that mentions it. ' +
      'For a document with a password, the session must have entered it.',
  })
  @ApiOkResponse({ type: ReadingReceiptDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.FILE_CHANGED, fileErrors.PAGE_NOT_FOUND)
  @ApiErrors(fileErrors.DOCUMENT_NOT_READY, fileErrors.DOCUMENT_FAILED, fileErrors.DOCUMENT_LOCKED)
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS, renderingErrors.DRAWING_BUSY, storageErrors.STORAGE_UNAVAILABLE)
  async record(
    @CurrentFile() file: AccessibleFile,
    @Body() batch: ReadingBatchDto,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: AppRequest,
  ): Promise<ReadingReceiptDto> {
    const unlocked = await this.lockedDocument.findUnlocked(request, file);
    return { isRecorded: await this.reading.recordBatch(file, userId, batch, unlocked) };
  }

  @Get(':id/reading')
  @FileAccess('own')
  @ApiJson('Get how one of your files is read, by page and by day', FileReadingDto)
  async show(@CurrentFile() file: AccessibleFile): Promise<FileReadingDto> {
    const { id: fileId, version, recordsReading: isRecorded } = file;
    return { version, isRecorded, ...(await this.figures.getFigures({ fileId, version })) };
  }

  @Get(':id/reading/readers')
  @FileAccess('own')
  @ApiPaginated('List who read one of your files and how far, latest first', FileReaderDto)
  listReaders(
    @CurrentFile() { id: fileId, version }: AccessibleFile,
    @Query() page: ListQueryDto,
  ): Promise<Page<FileReaderDto>> {
    return this.figures.listReaders({ fileId, version }, page);
  }

  @Get(':id/reading.csv')
  @FileAccess('own')
  @ApiCsv('Export who read one of your files and how far as CSV')
  export(@CurrentFile() { id: fileId, version }: AccessibleFile): StreamableFile {
    return createReadersCsv(fileId, this.figures.streamReaders({ fileId, version }));
  }

  @Get(':id/reading/mine')
  @FileAccess('read')
  @ApiJson('Get what is recorded about your own reading of a file', OwnReadingDto)
  getOwnReading(
    @CurrentFile() { id: fileId, version }: AccessibleFile,
    @CurrentViewer() { userId }: Viewer,
  ): Promise<OwnReadingDto> {
    return this.figures.getOwnReading({ fileId, version, userId });
  }
}
