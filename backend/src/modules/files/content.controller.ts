import { pipeline } from 'node:stream/promises';
import { applyDecorators, Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, Public } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { IdParam } from '../../platform/http/id.pipe.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { storageErrors } from '../../platform/storage/storage.errors.js';
import type { ByteRange } from '../../platform/storage/storage.js';
import type { ViewingKind } from '../activity/entities/viewing.entity.js';
import { contentDisposition, matchesEtag, parseRange } from './content-headers.js';
import { ContentService, type Delivery } from './content.service.js';
import { FileAddressDto, SignedQueryDto } from './dto/file.dto.js';
import { CurrentFile, FileAccess } from './file-access.guard.js';
import type { ViewedFile } from './file-access.service.js';
import { FileAddresses } from './file-addresses.service.js';
import { fileErrors } from './files.errors.js';

/** Nothing in a file may run, load or lead elsewhere, even if a browser shows it as a document. */
const SANDBOX =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; frame-ancestors 'self'; sandbox";

const ApiContent = () =>
  applyDecorators(
    ApiProduces('application/octet-stream'),
    ApiHeader({ name: 'Range', required: false, description: 'One range, such as `bytes=0-99`.' }),
    ApiHeader({ name: 'If-None-Match', required: false }),
    ApiResponse({ status: 200, description: 'The bytes', schema: { type: 'string', format: 'binary' } }),
    ApiResponse({ status: 206, description: 'The range', schema: { type: 'string', format: 'binary' } }),
    ApiResponse({ status: 302, description: 'An attachment lies at this address of the storage for five minutes' }),
    ApiResponse({ status: 304, description: 'Unchanged' }),
    ApiErrors(fileErrors.DOWNLOAD_NOT_ALLOWED, fileErrors.RANGE_NOT_SATISFIABLE, storageErrors.STORAGE_UNAVAILABLE),
  );

@ApiTags('files')
@Controller('api/files')
export class ContentController {
  constructor(
    private readonly content: ContentService,
    private readonly addresses: FileAddresses,
  ) {}

  @Get(':id/view')
  @FileAccess('read')
  @ApiContent()
  @ApiOperation({ summary: 'Show a file: inline when a browser can show its type safely, else as an attachment' })
  view(
    @CurrentFile() file: ViewedFile,
    @CurrentViewer() viewer: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.send(file, 'view', viewer.userId, request, response);
  }

  @Get(':id/download')
  @FileAccess('read')
  @ApiContent()
  @ApiOperation({ summary: 'Download a file' })
  download(
    @CurrentFile() file: ViewedFile,
    @CurrentViewer() viewer: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.send(file, 'download', viewer.userId, request, response);
  }

  @Get(':id/url')
  @FileAccess('read')
  @ApiOperation({ summary: 'An address at which the file can be downloaded without a session, for five minutes' })
  @ApiOkResponse({ type: FileAddressDto })
  @ApiErrors(fileErrors.DOWNLOAD_NOT_ALLOWED)
  url(@CurrentFile() file: ViewedFile, @CurrentViewer() { userId }: Viewer): FileAddressDto {
    this.content.delivery(file, 'download');
    return this.addresses.issue(file.id, userId);
  }

  @Get(':id/content')
  @Public()
  @ApiContent()
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.ADDRESS_EXPIRED, fileErrors.FILE_NOT_FOUND)
  @ApiOperation({ summary: 'Download a file by an address that `url` gave' })
  async addressed(
    @IdParam() id: number,
    @Query() { token }: SignedQueryDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { file, userId } = await this.addresses.open(id, token);
    await this.send(file, 'download', userId, request, response);
  }

  private async send(
    file: ViewedFile,
    kind: ViewingKind,
    userId: number,
    request: Request,
    response: Response,
  ): Promise<void> {
    const delivery = this.content.delivery(file, kind);
    if (matchesEtag(request.headers['if-none-match'], delivery.etag)) {
      response.status(304).set({ ETag: delivery.etag, 'Cache-Control': 'private, no-cache' }).end();
      return;
    }
    const range = requestedRange(request, delivery, file.size);
    if (range === 'unsatisfiable') {
      response.setHeader('Content-Range', `bytes */${file.size}`);
      throw fileErrors.RANGE_NOT_SATISFIABLE();
    }
    if (request.method === 'HEAD') {
      describe(response, file, delivery, range);
      response.end();
      return;
    }
    const address = await this.content.addressOf(file, kind, userId, range);
    if (address !== null) {
      response.setHeader('Cache-Control', 'private, no-store');
      response.redirect(address);
      return;
    }
    const stream = await this.content.open(file, kind, userId, range);
    describe(response, file, delivery, range);
    // A reader that goes away, or a disk that fails in the middle, ends the connection: the length tells it is short.
    await pipeline(stream, response).catch(() => response.destroy());
  }
}

/** A range is for a GET; after a change of the file (If-Range) the whole is sent. */
function requestedRange(request: Request, { etag }: Delivery, size: number): ByteRange | null | 'unsatisfiable' {
  const condition = request.headers['if-range'];
  if (request.method !== 'GET' || (condition !== undefined && condition !== etag)) return null;
  return parseRange(request.headers.range, size);
}

function describe(
  response: Response,
  file: ViewedFile,
  { disposition, etag }: Delivery,
  range: ByteRange | null,
): void {
  response.status(range ? 206 : 200).set({
    'Content-Type': file.mimeType,
    'Content-Length': String(range ? range.end - range.start + 1 : file.size),
    'Content-Disposition': contentDisposition(disposition, file.originalName),
    'Content-Security-Policy': SANDBOX,
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    ETag: etag,
    ...(range ? { 'Content-Range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
  });
}
