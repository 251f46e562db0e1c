import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { sendStream } from '../../../platform/streams/send-stream.js';
import { accountErrors } from '../account.errors.js';
import { PictureService } from './picture.service.js';

@ApiTags('account')
@Controller('api/pictures')
export class PicturesController {
  constructor(private readonly pictures: PictureService) {}

  @Get(':key')
  @Public()
  @ApiProduces('image/webp')
  @ApiOperation({ summary: 'Get a profile picture; a URL never changes its picture' })
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(accountErrors.PICTURE_NOT_FOUND, storageErrors.STORAGE_UNAVAILABLE)
  async picture(@Param('key') key: string, @Res() response: Response): Promise<void> {
    const { info, stream } = await this.pictures.openPicture(key);
    response.set({
      'Content-Type': 'image/webp',
      'Content-Length': String(info.size),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
    await sendStream(stream, response);
  }
}
