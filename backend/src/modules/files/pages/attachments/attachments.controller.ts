import { createReadStream } from 'node:fs';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { renderingErrors } from '../../../../platform/rendering/rendering.errors.js';
import { commonErrors } from '../../../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../../platform/http/errors/api-errors.decorator.js';
import type { AppRequest, Viewer } from '../../../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../../../platform/storage/storage.errors.js';
import { sendStream } from '../../../../platform/streams/send-stream.js';
import { CurrentFile, FileAccess } from '../../access/file-access.guard.js';
import type { AccessibleFile } from '../../access/file-access.repository.js';
import { fileErrors } from '../../files.errors.js';
import { ContentDeliveryService, userReader } from '../../reading/content-delivery.service.js';
import { contentDisposition } from '../../shared/content-headers.js';
import { LockedDocumentService } from '../locked/locked-document.service.js';
import { AttachmentService } from './attachment.service.js';

@ApiTags('files')
@Controller('api/files')
export class AttachmentsController {
  constructor(
    private readonly attachment: AttachmentService,
    private readonly lockedDocument: LockedDocumentService,
    private readonly contentDelivery: ContentDeliveryService,
  ) {}

  @Get(':id/pages/attachments/:attachment')
  @FileAccess('read')
  @ApiParam({ name: 'attachment', schema: { type: 'integer', minimum: 1 } })
  @ApiProduces('application/octet-stream')
  @ApiOperation({ summary: 'Download a file attached to a PDF; needs the right to download the PDF' })
  @ApiOkResponse({ description: 'The bytes', schema: { type: 'string', format: 'binary' } })
  @ApiErrors(fileErrors.DOWNLOAD_NOT_ALLOWED, fileErrors.ATTACHMENT_NOT_FOUND, fileErrors.ATTACHMENT_FAILED)
  @ApiErrors(fileErrors.PAGE_NOT_FOUND, fileErrors.DOCUMENT_NOT_READY, fileErrors.DOCUMENT_FAILED)
  @ApiErrors(fileErrors.DOCUMENT_LOCKED, commonErrors.TOO_MANY_REQUESTS)
  @ApiErrors(renderingErrors.DRAWING_BUSY, storageErrors.STORAGE_UNAVAILABLE)
  async download(
    @CurrentFile() file: AccessibleFile,
    @Param('attachment') attachment: string,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: AppRequest,
    @Res() response: Response,
  ): Promise<void> {
    if (!/^[1-9]\d{0,3}$/.test(attachment)) throw fileErrors.ATTACHMENT_NOT_FOUND();
    const unlocked = await this.lockedDocument.findUnlocked(request, file);
    await this.attachment.sendAttachment(
      file,
      Number(attachment),
      { unlocked, userId },
      async ({ name, path, size }) => {
        await this.contentDelivery.countOpenings([file], 'download', userReader(userId));
        response.set({
          // Attachments are untrusted, so the browser must never display them inline.
          'Content-Type': 'application/octet-stream',
          'Content-Length': String(size),
          'Content-Disposition': contentDisposition('attachment', name),
          'Content-Security-Policy': "default-src 'none'; sandbox",
          'X-Content-Type-Options': 'nosniff',
          'Cache-Control': 'private, no-store',
        });
        await sendStream(createReadStream(path), response);
      },
    );
  }
}
