import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ThumbnailRate } from '../../../platform/http/limits/thumbnail-rate.decorator.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import type { ByteRange } from '../../../platform/storage/storage.js';
import { MIB } from '../../../platform/text/byte-units.js';
import { CurrentFile, FileAccess } from '../access/file-access.guard.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { fileErrors } from '../files.errors.js';
import { parseRange } from '../shared/content-headers.js';
import { isMedia } from '../shared/document-types.js';
import { ContentDeliveryService, userReader } from './content-delivery.service.js';

/** Maximum bytes per response: 4 MiB. */
export const MAX_CHUNK_BYTES = 4 * MIB;

/**
 * Allowed values of the Sec-Fetch-Dest header: media elements of a page send these. Other destinations would save the
 * media.
 */
const ALLOWED_DESTINATIONS: readonly unknown[] = ['audio', 'video', undefined];

@ApiTags('files')
@Controller('api/files')
export class MediaController {
  constructor(private readonly contentDelivery: ContentDeliveryService) {}

  @Get(':id/media')
  @FileAccess('read')
  @ThumbnailRate()
  @ApiProduces('audio/*', 'video/*')
  @ApiHeader({ name: 'Range', required: false, description: 'One range; at most its first 4 MiB are returned.' })
  @ApiOperation({
    summary:
      'Stream audio or video in chunks for playback in the page, even if downloads are off; never the whole file',
  })
  @ApiResponse({ status: 206, description: 'The requested range', schema: { type: 'string', format: 'binary' } })
  @ApiErrors(fileErrors.NOTHING_TO_PLAY, fileErrors.RANGE_NOT_SATISFIABLE, fileErrors.DOWNLOAD_NOT_ALLOWED)
  @ApiErrors(storageErrors.STORAGE_UNAVAILABLE)
  async media(
    @CurrentFile() file: AccessibleFile,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (!isMedia(file.mimeType) || file.size === 0) throw fileErrors.NOTHING_TO_PLAY();
    if (!ALLOWED_DESTINATIONS.includes(request.headers['sec-fetch-dest'])) throw fileErrors.DOWNLOAD_NOT_ALLOWED();
    const range = chunkOf(request.headers.range, file.size);
    if (range === null) {
      response.setHeader('Content-Range', `bytes */${file.size}`);
      throw fileErrors.RANGE_NOT_SATISFIABLE();
    }
    const bytes =
      request.method === 'HEAD'
        ? null
        : await this.contentDelivery.openContent(file, 'view', userReader(userId), range);
    setHeaders(response, file, range);
    if (bytes === null) {
      response.end();
      return;
    }
    const sent = await bytes.sendTo(response).catch(() => -1);
    // If the player disconnects or the disk fails midway, close the connection. The client notices from Content-Length
    // that the body is incomplete.
    if (sent === range.end - range.start + 1) response.end();
    else response.destroy();
  }
}

/** Returns the range to send, limited to the maximum chunk size; null if it starts beyond the end of the file. */
function chunkOf(header: string | undefined, size: number): ByteRange | null {
  const requested = parseRange(header, size) ?? { start: 0, end: size - 1 };
  return requested === 'unsatisfiable'
    ? null
    : { start: requested.start, end: Math.min(requested.end, requested.start + MAX_CHUNK_BYTES - 1) };
}

/** Responses are not cached, because cached chunks could be assembled into the whole file. */
function setHeaders(response: Response, { mimeType, size }: AccessibleFile, { start, end }: ByteRange): void {
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
