import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ThumbnailRate } from '../../../platform/http/limits/thumbnail-rate.decorator.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { sendImage } from '../shared/send-image.js';
import { CurrentFile, FileAccess } from '../access/file-access.guard.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { fileErrors } from '../files.errors.js';
import { ThumbnailService } from './thumbnail.service.js';

@ApiTags('files')
@Controller('api/files')
export class ThumbnailsController {
  constructor(private readonly thumbnailService: ThumbnailService) {}

  @Get(':id/thumbnail')
  @FileAccess('read')
  @ThumbnailRate()
  @ApiProduces('image/webp')
  @ApiHeader({ name: 'If-None-Match', required: false })
  @ApiOperation({
    summary: "Get the thumbnail of an image or of a document's first page, if it exists; doesn't count as a view",
  })
  @ApiResponse({ status: 200, description: 'The picture', schema: { type: 'string', format: 'binary' } })
  @ApiResponse({ status: 304, description: 'Unchanged' })
  @ApiErrors(fileErrors.THUMBNAIL_NOT_FOUND, storageErrors.STORAGE_UNAVAILABLE)
  async thumbnail(
    @CurrentFile() file: AccessibleFile,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const thumbnail = await this.thumbnailService.findThumbnail(file);
    await sendImage(request, response, thumbnail.etag, async () => ({
      ...thumbnail,
      bytes: await this.thumbnailService.openThumbnail(thumbnail),
    }));
  }
}
