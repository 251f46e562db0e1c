import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { PictureRate } from '../../../platform/http/limits/picture-rate.decorator.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { sendPicture } from '../shared/send-picture.js';
import { CurrentFile, FileAccess } from '../access/file-access.guard.js';
import type { ViewedFile } from '../access/file-access.service.js';
import { fileErrors } from '../files.errors.js';
import { ThumbnailMaker } from './thumbnail-maker.service.js';

@ApiTags('files')
@Controller('api/files')
export class ThumbnailsController {
  constructor(private readonly thumbnails: ThumbnailMaker) {}

  @Get(':id/thumbnail')
  @FileAccess('read')
  @PictureRate()
  @ApiProduces('image/webp')
  @ApiHeader({ name: 'If-None-Match', required: false })
  @ApiOperation({
    summary: "Get the thumbnail of an image or of a document's first page, if it exists; doesn't count as a view",
  })
  @ApiResponse({ status: 200, description: 'The picture', schema: { type: 'string', format: 'binary' } })
  @ApiResponse({ status: 304, description: 'Unchanged' })
  @ApiErrors(fileErrors.THUMBNAIL_NOT_FOUND, storageErrors.STORAGE_UNAVAILABLE)
  async thumbnail(@CurrentFile() file: ViewedFile, @Req() request: Request, @Res() response: Response): Promise<void> {
    const thumbnail = await this.thumbnails.find(file);
    await sendPicture(request, response, thumbnail.etag, async () => ({
      ...thumbnail,
      bytes: await this.thumbnails.open(thumbnail),
    }));
  }
}
