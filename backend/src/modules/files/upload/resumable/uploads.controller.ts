import { Body, Controller, Delete, Get, HttpCode, Options, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiCreatedResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import { SECOND } from '../../../../platform/clock/clock.js';
import { commonErrors } from '../../../../platform/errors/common.errors.js';
import { CurrentViewer, Public, SignedIn } from '../../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../../platform/http/errors/api-errors.decorator.js';
import { Consumes } from '../../../../platform/http/parsing/body-type.guard.js';
import { ApiList, ListQueryDto, sendPage } from '../../../../platform/http/lists/list.js';
import { drainRejectedBody } from '../../../../platform/http/parsing/drain-rejected-body.js';
import type { Viewer } from '../../../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../../../platform/storage/storage.errors.js';
import { MIB } from '../../../../platform/text/byte-units.js';
import { planErrors } from '../../../plans/plans.errors.js';
import { zoneErrors } from '../../../zones/zones.errors.js';
import {
  CompleteUploadDto,
  ResumableUploadDto,
  SignedPartDto,
  SignPartsDto,
  UploadPartsDto,
} from '../../dto/upload.dto.js';
import { fileErrors } from '../../files.errors.js';
import type { ResumableState } from './resumable-upload.policy.js';
import { TUS_PATH } from './resumable-upload.repository.js';
import { FileSizeLimitService } from '../file-size-limit.service.js';
import { DirectUploadService } from './direct-upload.service.js';
import { ResumableUploadService } from './resumable-upload.service.js';
import { assertVersion, FILE_ID_HEADER, TUS_VERSION, TusProtocolService } from './tus-protocol.service.js';
import { TUS_EXTENSIONS } from './tus-store.js';
import { UploadPatchService } from './upload-patch.service.js';

const OFFSET_STREAM_TYPE = 'application/offset+octet-stream';
/** Clients that send nothing for this long are disconnected. */
const IDLE_TIMEOUT = 60 * SECOND;
/** Bytes that a rejected client may still send before it is disconnected. */
const MAX_DRAINED_BYTES = 256 * MIB;

/**
 * Response headers that are not forwarded: CORS headers, because other origins are not supported, and content headers,
 * which we set ourselves.
 */
const FILTERED_HEADERS = /^(?:access-control-.+|content-.+)$/;

const ApiTusHeader = (name: string, description: string, required = true) => ApiHeader({ name, description, required });
const TusVersion = () => ApiTusHeader('Tus-Resumable', `Always ${TUS_VERSION}`);
const UploadId = () => ApiParam({ name: 'id', schema: { type: 'string', format: 'uuid' } });
const integerHeader = (description: string) => ({ description, schema: { type: 'integer' as const } });
const responseHeaders = {
  'Upload-Offset': integerHeader('Bytes stored so far'),
  'Upload-Expires': { description: 'When the upload expires', schema: { type: 'string' as const } },
  [FILE_ID_HEADER]: integerHeader('Id of the file, once the upload is complete'),
};
const ApiBinaryBody = () => ApiBody({ required: false, schema: { type: 'string', format: 'binary' } });

/** Resumable uploads by the tus 1.0.0 protocol. Each belongs to the user who created it. */
@ApiTags('files')
@Controller(TUS_PATH.slice(1))
export class UploadsController {
  constructor(
    private readonly tusProtocol: TusProtocolService,
    private readonly uploadPatch: UploadPatchService,
    private readonly resumableUpload: ResumableUploadService,
    private readonly directUpload: DirectUploadService,
    private readonly fileSizeLimit: FileSizeLimitService,
  ) {}

  @Options()
  @Public()
  @HttpCode(204)
  @ApiOperation({ summary: 'Get the supported tus version and extensions' })
  @ApiNoContentResponse({ description: 'See the headers Tus-Version, Tus-Extension and Tus-Max-Size' })
  @ApiErrors(commonErrors.TOO_MANY_REQUESTS)
  options(@Res({ passthrough: true }) response: HttpResponse): void {
    response.set({
      'Tus-Resumable': TUS_VERSION,
      'Tus-Version': TUS_VERSION,
      'Tus-Extension': TUS_EXTENSIONS.join(','),
      'Tus-Max-Size': String(this.fileSizeLimit.largest),
    });
  }

  @Post()
  @SignedIn()
  @Consumes(OFFSET_STREAM_TYPE)
  @ApiOperation({
    summary: 'Start a resumable upload (tus)',
    description:
      'Its bytes are reserved in the plan from now on. The body may contain the first bytes, or all of them.',
  })
  @TusVersion()
  @ApiTusHeader('Upload-Length', 'Size of the file in bytes; required')
  @ApiTusHeader(
    'Upload-Metadata',
    'filename, zoneId; folderId, onConflict (rename, replace), replaces (a file), ifVersion, filetype: keys and values in Base64',
  )
  @ApiBinaryBody()
  @ApiCreatedResponse({
    type: ResumableUploadDto,
    description: 'The URL of the upload is also in the Location header',
    headers: { Location: { description: 'URL of the upload', schema: { type: 'string' } }, ...responseHeaders },
  })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.UPLOAD_PROTOCOL, fileErrors.UPLOAD_LENGTH_REQUIRED)
  @ApiErrors(fileErrors.INVALID_NAME, zoneErrors.ZONE_FORBIDDEN, zoneErrors.ZONE_FULL, planErrors.PLAN_LIMIT)
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND, fileErrors.DUPLICATE_NAMES)
  @ApiErrors(fileErrors.FILE_NOT_FOUND, fileErrors.FILE_CHANGED, fileErrors.FILE_TYPE_DIFFERS)
  @ApiErrors(fileErrors.MIRROR_READ_ONLY, fileErrors.UPLOAD_VERSION, fileErrors.FILE_TOO_LARGE)
  @ApiErrors(fileErrors.FILE_REQUEST_CLOSED, fileErrors.FILE_REQUEST_LIMIT)
  @ApiErrors(
    fileErrors.UPLOAD_TOO_LONG,
    commonErrors.UNSUPPORTED_TYPE,
    storageErrors.DISK_FULL,
    storageErrors.STORAGE_UNAVAILABLE,
  )
  begin(@CurrentViewer() viewer: Viewer, @Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    return this.handle(viewer, request, response, (upload) => this.resumableUpload.describeCreated(upload));
  }

  @Get()
  @SignedIn()
  @ApiList()
  @ApiOperation({ summary: 'List your unfinished uploads, newest first' })
  @ApiOkResponse({ type: [ResumableUploadDto] })
  async list(
    @CurrentViewer() { userId }: Viewer,
    @Query() query: ListQueryDto,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<ResumableUploadDto[]> {
    return sendPage(response, await this.resumableUpload.listActive(userId, query));
  }

  /** Also handles HEAD, which the tus protocol uses, because Express routes HEAD to the GET handler. */
  @Get(':id')
  @SignedIn()
  @ApiOperation({
    summary: 'Get the progress of an upload',
    description: 'A tus client sends HEAD and reads Upload-Offset, Upload-Length and, once the file exists, X-File-Id.',
  })
  @UploadId()
  @ApiOkResponse({ type: ResumableUploadDto, headers: responseHeaders })
  @ApiErrors(fileErrors.UPLOAD_NOT_FOUND, fileErrors.UPLOAD_LOCKED, fileErrors.UPLOAD_VERSION)
  async state(
    @CurrentViewer() viewer: Viewer,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    if (request.method === 'HEAD') return this.handle(viewer, request, response);
    response.json(await this.resumableUpload.findOne(String(request.params.id), viewer.userId));
  }

  @Patch(':id')
  @SignedIn()
  @Consumes(OFFSET_STREAM_TYPE)
  @HttpCode(204)
  @ApiOperation({
    summary: 'Send the next bytes of an upload (tus)',
    description: 'The file is created or replaced with the last byte; the response then contains its id in X-File-Id.',
  })
  @UploadId()
  @TusVersion()
  @ApiTusHeader('Upload-Offset', 'Offset of the first byte; must match the bytes stored so far')
  @ApiBinaryBody()
  @ApiNoContentResponse({ description: 'Stored up to Upload-Offset', headers: responseHeaders })
  @ApiErrors(fileErrors.UPLOAD_PROTOCOL, zoneErrors.ZONE_FORBIDDEN, fileErrors.UPLOAD_NOT_FOUND)
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND, fileErrors.UPLOAD_OFFSET)
  @ApiErrors(fileErrors.DUPLICATE_NAMES, fileErrors.MIRROR_READ_ONLY, fileErrors.UPLOAD_VERSION)
  @ApiErrors(fileErrors.FILE_NOT_FOUND, fileErrors.FILE_CHANGED, fileErrors.FILE_TYPE_DIFFERS)
  @ApiErrors(fileErrors.UPLOAD_TOO_LONG, commonErrors.UNSUPPORTED_TYPE, fileErrors.UPLOAD_LOCKED)
  @ApiErrors(storageErrors.STORAGE_UNAVAILABLE, fileErrors.FILE_REQUEST_CLOSED, fileErrors.FILE_REQUEST_LIMIT)
  async resume(
    @CurrentViewer() { userId }: Viewer,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) response: HttpResponse,
  ): Promise<void> {
    response.set({ 'Tus-Resumable': TUS_VERSION, 'Tus-Version': TUS_VERSION });
    try {
      assertVersion(request.headers['tus-resumable']);
      request.setTimeout(IDLE_TIMEOUT, () => request.destroy());
      const { upload, isStopped } = await this.uploadPatch.receive(String(request.params.id), request, userId);
      response.set('Upload-Offset', String(upload.received));
      if (upload.fileId !== null) response.set(FILE_ID_HEADER, String(upload.fileId));
      else response.set('Upload-Expires', upload.expiresAt.toUTCString());
      if (isStopped) response.set('Connection', 'close');
    } finally {
      drainRejectedBody(request, MAX_DRAINED_BYTES);
    }
  }

  @Delete(':id')
  @SignedIn()
  @HttpCode(204)
  @ApiOperation({ summary: 'Cancel an upload and release its reserved storage (tus)' })
  @UploadId()
  @TusVersion()
  @ApiNoContentResponse()
  @ApiErrors(fileErrors.UPLOAD_NOT_FOUND, fileErrors.UPLOAD_LOCKED, fileErrors.UPLOAD_VERSION)
  discard(@CurrentViewer() viewer: Viewer, @Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    return this.handle(viewer, request, response);
  }

  @Get(':id/parts')
  @SignedIn()
  @ApiOperation({
    summary: 'Get the parts in which an upload can be sent to the storage directly',
    description: 'UPLOAD_NOT_DIRECT: not with this storage, or bytes have already been sent to the upload itself.',
  })
  @UploadId()
  @ApiOkResponse({ type: UploadPartsDto })
  @ApiErrors(fileErrors.UPLOAD_NOT_FOUND, fileErrors.UPLOAD_NOT_DIRECT)
  parts(@CurrentViewer() { userId }: Viewer, @Param('id') id: string): Promise<UploadPartsDto> {
    return this.directUpload.getParts(id, userId);
  }

  @Post(':id/parts')
  @SignedIn()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Get addresses to which parts of an upload are sent directly',
    description:
      'Each is valid for 15 minutes, for PUT of exactly that part. `sent` reports parts that the storage has accepted.',
  })
  @UploadId()
  @ApiOkResponse({ type: [SignedPartDto] })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.UPLOAD_NOT_FOUND, fileErrors.UPLOAD_NOT_DIRECT)
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN, fileErrors.FOLDER_NOT_FOUND)
  @ApiErrors(fileErrors.FILE_NOT_FOUND, fileErrors.MIRROR_READ_ONLY, fileErrors.UPLOAD_OFFSET)
  @ApiErrors(fileErrors.UPLOAD_LOCKED, storageErrors.DISK_FULL, storageErrors.STORAGE_UNAVAILABLE)
  @ApiErrors(fileErrors.FILE_REQUEST_CLOSED, fileErrors.FILE_REQUEST_LIMIT)
  signParts(
    @CurrentViewer() { userId }: Viewer,
    @Param('id') id: string,
    @Body() body: SignPartsDto,
  ): Promise<SignedPartDto[]> {
    return this.directUpload.signParts(id, userId, body);
  }

  @Post(':id/complete')
  @SignedIn()
  @HttpCode(202)
  @ApiOperation({
    summary: 'Complete an upload whose parts were sent directly',
    description:
      'The server reads the upload before it becomes a file (`state`: `checking`, then `stored`). If it is `checked` but not stored, complete it again to learn why.',
  })
  @UploadId()
  @ApiAcceptedResponse({ type: ResumableUploadDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.UPLOAD_NOT_FOUND, fileErrors.UPLOAD_NOT_DIRECT)
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN, fileErrors.FOLDER_NOT_FOUND)
  @ApiErrors(fileErrors.FILE_NOT_FOUND, fileErrors.FILE_CHANGED, fileErrors.FILE_TYPE_DIFFERS)
  @ApiErrors(fileErrors.UPLOAD_INCOMPLETE, fileErrors.DUPLICATE_NAMES, fileErrors.MIRROR_READ_ONLY)
  @ApiErrors(fileErrors.UPLOAD_OFFSET, fileErrors.UPLOAD_LOCKED, storageErrors.STORAGE_UNAVAILABLE)
  @ApiErrors(fileErrors.FILE_REQUEST_CLOSED, fileErrors.FILE_REQUEST_LIMIT)
  complete(
    @CurrentViewer() { userId }: Viewer,
    @Param('id') id: string,
    @Body() body: CompleteUploadDto,
  ): Promise<ResumableUploadDto> {
    return this.directUpload.completeUpload(id, userId, body);
  }

  /** @param createBody creates the body of a successful response; most have none */
  private async handle(
    { userId }: Viewer,
    request: HttpRequest,
    response: HttpResponse,
    createBody?: (upload: ResumableState) => ResumableUploadDto,
  ): Promise<void> {
    response.set({ 'Tus-Resumable': TUS_VERSION, 'Tus-Version': TUS_VERSION });
    const webRequest = toWebRequest(request);
    try {
      const { response: webResponse, upload } = await this.tusProtocol.handleRequest(webRequest.request, userId);
      sendResponse(webResponse, response, upload === null ? undefined : createBody?.(upload));
    } finally {
      webRequest.close();
    }
  }
}

/** Converts the request for the tus library. `close` stops reading; remaining bytes are discarded up to a limit. */
function toWebRequest(request: HttpRequest): { request: Request; close: () => void } {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !name.startsWith(':')) headers.set(name, value);
  }
  const hasBody = request.method === 'POST';
  if (hasBody) request.setTimeout(IDLE_TIMEOUT, () => request.destroy());
  // A parser that stops early must not close the connection, which is needed for the response.
  const body = hasBody ? ReadableStream.from(readBody(request)) : null;
  const init = { method: request.method, headers, body, duplex: 'half' };
  return {
    request: new Request(`http://uploads${request.path}`, init as RequestInit),
    close: () => drainRejectedBody(request, MAX_DRAINED_BYTES),
  };
}

async function* readBody(request: HttpRequest): AsyncGenerator<Uint8Array> {
  yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
}

/**
 * Sends the library's response.
 * @param body JSON body; empty if omitted
 */
function sendResponse(tusResponse: Response, response: HttpResponse, body?: object): void {
  response.status(tusResponse.status);
  for (const [name, value] of tusResponse.headers) if (!FILTERED_HEADERS.test(name)) response.setHeader(name, value);
  if (body) response.json(body);
  else response.end();
}
