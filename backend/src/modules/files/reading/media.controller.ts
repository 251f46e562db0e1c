import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { PictureRate } from '../../../platform/http/limits/picture-rate.decorator.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import type { ByteRange } from '../../../platform/storage/storage.js';
import { MIB } from '../../../platform/text/sizes.js';
import { CurrentFile, FileAccess } from '../access/file-access.guard.js';
import type { ViewedFile } from '../access/file-access.service.js';
import { fileErrors } from '../files.errors.js';
import { parseRange } from '../shared/content-headers.js';
import { isMedium } from '../shared/documents.js';
import { ContentReader } from './content-reader.service.js';

/** Most bytes of one answer: 4 MiB. */
export const PIECE = 4 * MIB;

/** What a browser says of requests that a player of the page sends; others would save what is played. */
const PLAYERS: readonly unknown[] = ['audio', 'video', undefined];

@ApiTags('files')
@Controller('api/files')
export class MediaController {
  constructor(private readonly content: ContentReader) {}

  @Get(':id/media')
  @FileAccess('read')
  @PictureRate()
  @ApiProduces('audio/*', 'video/*')
  @ApiHeader({ name: 'Range', required: false, description: 'One range; at most its first 4 MiB are returned.' })
  @ApiOperation({
    summary:
      'Stream audio or video in chunks for playback in the page, even if downloads are off; never the whole file',
  })
  @ApiResponse({ status: 206, description: 'The piece', schema: { type: 'string', format: 'binary' } })
  @ApiErrors(fileErrors.NOTHING_TO_PLAY, fileErrors.RANGE_NOT_SATISFIABLE, fileErrors.DOWNLOAD_NOT_ALLOWED)
  @ApiErrors(storageErrors.STORAGE_UNAVAILABLE)
  async media(
    @CurrentFile() file: ViewedFile,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (!isMedium(file.mimeType) || file.size === 0) throw fileErrors.NOTHING_TO_PLAY();
    if (!PLAYERS.includes(request.headers['sec-fetch-dest'])) throw fileErrors.DOWNLOAD_NOT_ALLOWED();
    const piece = pieceOf(request.headers.range, file.size);
    if (piece === null) {
      response.setHeader('Content-Range', `bytes */${file.size}`);
      throw fileErrors.RANGE_NOT_SATISFIABLE();
    }
    const bytes = request.method === 'HEAD' ? null : await this.content.open(file, 'view', userId, piece);
    describe(response, file, piece);
    if (bytes === null) {
      response.end();
      return;
    }
    const sent = await bytes.sendTo(response).catch(() => -1);
    // A player that goes away, or a disk that fails in the middle, ends the connection: the length tells it is short.
    if (sent === piece.end - piece.start + 1) response.end();
    else response.destroy();
  }
}

/** The piece of a medium that is answered; null for one that begins beyond its end. */
function pieceOf(header: string | undefined, size: number): ByteRange | null {
  const asked = parseRange(header, size) ?? { start: 0, end: size - 1 };
  return asked === 'unsatisfiable' ? null : { start: asked.start, end: Math.min(asked.end, asked.start + PIECE - 1) };
}

/** Kept nowhere: what a browser keeps could be put together again. */
function describe(response: Response, { mimeType, size }: ViewedFile, { start, end }: ByteRange): void {
  response.status(206).set({
    'Content-Type': mimeType,
    'Content-Length': String(end - start + 1),
    'Content-Range': `bytes ${start}-${end}/${size}`,
    'Content-Disposition': 'inline',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-store',
  });
}
