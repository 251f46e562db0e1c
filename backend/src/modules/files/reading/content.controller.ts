import { applyDecorators, Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AppConfig } from '../../../platform/config/app-config.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer, Public } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import type { ByteRange } from '../../../platform/storage/storage.js';
import type { ViewingKind } from '../../activity/entities/viewing.entity.js';
import { contentDisposition, matchesEtag, parseRange } from '../shared/content-headers.js';
import { ContentDeliveryService, type DeliveryHeaders } from './content-delivery.service.js';
import { FileAddressDto, SignedQueryDto } from '../dto/file.dto.js';
import { CurrentFile, FileAccess } from '../access/file-access.guard.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { SignedUrlService } from './signed-url.service.js';
import { fileErrors } from '../files.errors.js';
import { ApiVersionNumber, VersionNumber } from '../shared/version-number.pipe.js';
import { FileVersionService } from '../versions/file-version.service.js';

/** File content must not run scripts, load resources or navigate, even if a browser renders it as a document. */
const CONTENT_CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'";

const ApiContent = () =>
  applyDecorators(
    ApiProduces('application/octet-stream'),
    ApiHeader({ name: 'Range', required: false, description: 'One range, such as `bytes=0-99`.' }),
    ApiHeader({ name: 'If-None-Match', required: false }),
    ApiResponse({ status: 200, description: 'The bytes', schema: { type: 'string', format: 'binary' } }),
    ApiResponse({ status: 206, description: 'The range', schema: { type: 'string', format: 'binary' } }),
    ApiResponse({ status: 302, description: 'Temporary URL of the file, at the storage or at CONTENT_URL' }),
    ApiResponse({ status: 304, description: 'Unchanged' }),
    ApiErrors(fileErrors.DOWNLOAD_NOT_ALLOWED, fileErrors.RANGE_NOT_SATISFIABLE, storageErrors.STORAGE_UNAVAILABLE),
  );

interface ContentRequest {
  readonly file: AccessibleFile;
  readonly kind: ViewingKind;
  readonly userId: number;
  /** URL on the separate content origin to redirect to; null to serve the bytes from here. */
  readonly contentOriginUrl: string | null;
}

@ApiTags('files')
@Controller('api/files')
export class ContentController {
  /** Origin that may show files in a frame: the app's pages. */
  private readonly frameAncestor: string;

  constructor(
    private readonly contentDelivery: ContentDeliveryService,
    private readonly signedUrl: SignedUrlService,
    private readonly fileVersion: FileVersionService,
    { contentUrl, appUrl }: AppConfig,
  ) {
    this.frameAncestor = contentUrl === null ? "'self'" : new URL(appUrl).origin;
  }

  @Get(':id/view')
  @FileAccess('read')
  @ApiContent()
  @ApiOperation({ summary: 'View a file: inline if browsers can display its type safely, otherwise as an attachment' })
  view(
    @CurrentFile() file: AccessibleFile,
    @CurrentViewer() viewer: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.sendOrRedirect(file, 'view', viewer, request, response);
  }

  @Get(':id/download')
  @FileAccess('read')
  @ApiContent()
  @ApiOperation({ summary: 'Download a file' })
  download(
    @CurrentFile() file: AccessibleFile,
    @CurrentViewer() viewer: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.sendOrRedirect(file, 'download', viewer, request, response);
  }

  @Get(':id/versions/:number/view')
  @FileAccess('manage')
  @ApiVersionNumber()
  @ApiContent()
  @ApiErrors(fileErrors.VERSION_NOT_FOUND)
  @ApiOperation({ summary: 'View a version of a file, as `view` does' })
  viewVersion(
    @CurrentFile() file: AccessibleFile,
    @VersionNumber() number: number,
    @CurrentViewer() viewer: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.sendOrRedirect(file, 'view', viewer, request, response, number);
  }

  @Get(':id/versions/:number/download')
  @FileAccess('manage')
  @ApiVersionNumber()
  @ApiContent()
  @ApiErrors(fileErrors.VERSION_NOT_FOUND)
  @ApiOperation({ summary: 'Download a version of a file' })
  downloadVersion(
    @CurrentFile() file: AccessibleFile,
    @VersionNumber() number: number,
    @CurrentViewer() viewer: Viewer,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.sendOrRedirect(file, 'download', viewer, request, response, number);
  }

  @Get(':id/url')
  @FileAccess('read')
  @ApiOperation({ summary: 'Get a URL for downloading the file without a session, valid for five minutes' })
  @ApiOkResponse({ type: FileAddressDto })
  @ApiErrors(fileErrors.DOWNLOAD_NOT_ALLOWED)
  url(@CurrentFile() file: AccessibleFile, @CurrentViewer() { userId }: Viewer): FileAddressDto {
    this.contentDelivery.resolveDelivery(file, 'download');
    return this.signedUrl.createUrl(file.id, userId, 'download');
  }

  @Get(':id/content')
  @Public()
  @ApiContent()
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.ADDRESS_EXPIRED, fileErrors.FILE_NOT_FOUND)
  @ApiErrors(fileErrors.VERSION_NOT_FOUND)
  @ApiOperation({ summary: 'Get the bytes of a file with a URL from `url`, `view` or `download`' })
  async addressed(
    @IdParam() id: number,
    @Query() { token }: SignedQueryDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { file, userId, kind, version } = await this.signedUrl.verifyUrl(id, token);
    await this.send(
      { file: await this.findVersion(file, version), kind, userId, contentOriginUrl: null },
      request,
      response,
    );
  }

  /**
   * Sends a file to a signed-in viewer, or redirects to the content origin if there is one.
   * @param version number of one of its versions; null for the current content
   */
  private async sendOrRedirect(
    file: AccessibleFile,
    kind: ViewingKind,
    { userId }: Viewer,
    request: Request,
    response: Response,
    version: number | null = null,
  ) {
    const contentOriginUrl = this.signedUrl.createContentOriginUrl(file.id, userId, kind, version);
    return this.send(
      { file: await this.findVersion(file, version), kind, userId, contentOriginUrl },
      request,
      response,
    );
  }

  private async findVersion(file: AccessibleFile, version: number | null): Promise<AccessibleFile> {
    return version === null ? file : this.fileVersion.findVersion(file, version);
  }

  private async send(
    { file, kind, userId, contentOriginUrl }: ContentRequest,
    request: Request,
    response: Response,
  ): Promise<void> {
    const delivery = this.contentDelivery.resolveDelivery(file, kind);
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
      this.setHeaders(response, file, delivery, range, await this.contentDelivery.getContentType(file, delivery));
      response.end();
      return;
    }
    const address = (await this.contentDelivery.getStorageUrl(file, kind, userId)) ?? contentOriginUrl;
    if (address !== null) {
      redirect(response, address);
      return;
    }
    const type = await this.contentDelivery.getContentType(file, delivery);
    const sendfileHeader = isPlainRead(request, range)
      ? await this.contentDelivery.getSendfileHeader(file, kind, userId, range)
      : null;
    if (sendfileHeader !== null) {
      this.setHeaders(response, file, delivery, null, type);
      // The web server answers the range, so it sets these.
      for (const name of ['Content-Length', 'Accept-Ranges']) response.removeHeader(name);
      response.setHeader(...sendfileHeader);
      response.end();
      return;
    }
    const whole = { start: 0, end: file.size - 1 };
    const bytes = await this.contentDelivery.openContent(file, kind, userId, range ?? whole);
    this.setHeaders(response, file, delivery, range, type);
    const sent = await bytes.sendTo(response).catch(() => -1);
    // If the client disconnects or the disk fails midway, close the connection. The client notices from Content-Length
    // that the body is incomplete.
    if (sent === lengthOf(range ?? whole)) response.end();
    else response.destroy();
  }

  private setHeaders(
    response: Response,
    file: AccessibleFile,
    { disposition, etag }: DeliveryHeaders,
    range: ByteRange | null,
    type: string,
  ): void {
    response.status(range ? 206 : 200).set({
      'Content-Type': type,
      'Content-Length': String(range ? lengthOf(range) : file.size),
      'Content-Disposition': contentDisposition(disposition, file.originalName),
      'Content-Security-Policy': `${CONTENT_CSP}; frame-ancestors ${this.frameAncestor}; sandbox`,
      'X-Content-Type-Options': 'nosniff',
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'private, no-cache',
      ETag: etag,
      ...(range ? { 'Content-Range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
    });
  }
}

function redirect(response: Response, address: string): void {
  response.setHeader('Cache-Control', 'private, no-store');
  response.redirect(address);
}

/** Ranges apply to GET only. If the file has changed (If-Range), the whole file is sent. */
function requestedRange(request: Request, { etag }: DeliveryHeaders, size: number): ByteRange | null | 'unsatisfiable' {
  const condition = request.headers['if-range'];
  if (request.method !== 'GET' || (condition !== undefined && condition !== etag)) return null;
  return parseRange(request.headers.range, size);
}

/** Conditions that a web server in front would compare with its own validators of the file. */
const CONDITIONS = freezeList(['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range']);

/** Whether any web server understands the request as we do: without conditions, and for the whole file or one range. */
function isPlainRead({ headers }: Request, range: ByteRange | null): boolean {
  return CONDITIONS.every((name) => headers[name] === undefined) && (headers.range === undefined || range !== null);
}

function lengthOf({ start, end }: ByteRange): number {
  return end - start + 1;
}
