import { Controller, Delete, Get, HttpCode, Options, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
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
import { Consumes } from '../../../../platform/http/reading/body-type.guard.js';
import { ApiList, ListQueryDto, sendPage } from '../../../../platform/http/lists/list.js';
import { drainRefused } from '../../../../platform/http/reading/refused-body.js';
import type { Viewer } from '../../../../platform/http/reading/viewer.js';
import { storageErrors } from '../../../../platform/storage/storage.errors.js';
import { MIB } from '../../../../platform/text/sizes.js';
import { planErrors } from '../../../plans/plans.errors.js';
import { zoneErrors } from '../../../zones/zones.errors.js';
import { ResumableUploadDto } from '../../dto/upload.dto.js';
import { fileErrors } from '../../files.errors.js';
import { MAX_FILE_BYTES } from '../../access/file.policy.js';
import { ResumableUploads, TUS_PATH } from './resumable-uploads.service.js';
import { FILE_ID_HEADER, TUS_EXTENSIONS, TUS_VERSION, TusProtocol } from './tus-protocol.service.js';

const BYTES = 'application/offset+octet-stream';
/** A sender that is silent for this long is cut off. */
const IDLE = 60 * SECOND;
/** What a refused sender may still send before it is cut off. */
const DRAINED_BYTES = 256 * MIB;

/** Headers that other origins would need, and there are none; and those of bodies, which are ours. */
const WITHHELD = /^(?:access-control-.+|content-.+)$/;

const header = (name: string, description: string, required = true) => ApiHeader({ name, description, required });
const TusVersion = () => header('Tus-Resumable', `Always ${TUS_VERSION}`);
const UploadId = () => ApiParam({ name: 'id', schema: { type: 'string', format: 'uuid' } });
const integerHeader = (description: string) => ({ description, schema: { type: 'integer' as const } });
const answers = {
  'Upload-Offset': integerHeader('Bytes stored so far'),
  'Upload-Expires': { description: 'When the upload expires', schema: { type: 'string' as const } },
  [FILE_ID_HEADER]: integerHeader('Id of the file, once the upload is complete'),
};
const sendsBytes = () => ApiBody({ required: false, schema: { type: 'string', format: 'binary' } });

/** Uploads that can be resumed, by the tus protocol 1.0.0. Each belongs to whoever began it. */
@ApiTags('files')
@Controller(TUS_PATH.slice(1))
export class UploadsController {
  constructor(
    private readonly protocol: TusProtocol,
    private readonly uploads: ResumableUploads,
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
      'Tus-Max-Size': String(MAX_FILE_BYTES),
    });
  }

  @Post()
  @SignedIn()
  @Consumes(BYTES)
  @ApiOperation({
    summary: 'Start a resumable upload (tus)',
    description:
      'Its bytes are reserved in the plan from now on. The body may contain the first bytes, or all of them.',
  })
  @TusVersion()
  @header('Upload-Length', 'Size of the file in bytes; required')
  @header('Upload-Metadata', 'filename, zoneId; folderId, onConflict (rename), filetype: keys and values in Base64')
  @sendsBytes()
  @ApiCreatedResponse({
    type: ResumableUploadDto,
    description: 'The URL of the upload is also in the Location header',
    headers: { Location: { description: 'URL of the upload', schema: { type: 'string' } }, ...answers },
  })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.UPLOAD_PROTOCOL, fileErrors.UPLOAD_LENGTH_REQUIRED)
  @ApiErrors(fileErrors.INVALID_NAME, zoneErrors.ZONE_FORBIDDEN, zoneErrors.ZONE_FULL, planErrors.PLAN_LIMIT)
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND, fileErrors.DUPLICATE_NAMES)
  @ApiErrors(fileErrors.MIRROR_READ_ONLY, fileErrors.UPLOAD_VERSION, fileErrors.FILE_TOO_LARGE)
  @ApiErrors(
    fileErrors.UPLOAD_TOO_LONG,
    commonErrors.UNSUPPORTED_TYPE,
    storageErrors.DISK_FULL,
    storageErrors.STORAGE_UNAVAILABLE,
  )
  begin(@CurrentViewer() viewer: Viewer, @Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    return this.speak(viewer, request, response, (answer) => this.uploads.one(idIn(answer), viewer.userId));
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
    return sendPage(response, await this.uploads.list(userId, query));
  }

  /** HEAD is the protocol's question; express answers it by the handler of GET. */
  @Get(':id')
  @SignedIn()
  @ApiOperation({
    summary: 'Get the progress of an upload',
    description: 'A tus client sends HEAD and reads Upload-Offset, Upload-Length and, once the file exists, X-File-Id.',
  })
  @UploadId()
  @ApiOkResponse({ type: ResumableUploadDto, headers: answers })
  @ApiErrors(fileErrors.UPLOAD_NOT_FOUND, fileErrors.UPLOAD_LOCKED, fileErrors.UPLOAD_VERSION)
  async state(
    @CurrentViewer() viewer: Viewer,
    @Req() request: HttpRequest,
    @Res() response: HttpResponse,
  ): Promise<void> {
    if (request.method === 'HEAD') return this.speak(viewer, request, response);
    response.json(await this.uploads.one(String(request.params.id), viewer.userId));
  }

  @Patch(':id')
  @SignedIn()
  @Consumes(BYTES)
  @HttpCode(204)
  @ApiOperation({
    summary: 'Send the next bytes of an upload (tus)',
    description: 'The file is created with the last byte; the response then contains its id in X-File-Id.',
  })
  @UploadId()
  @TusVersion()
  @header('Upload-Offset', 'Offset of the first byte; must match the bytes stored so far')
  @sendsBytes()
  @ApiNoContentResponse({ description: 'Stored up to Upload-Offset', headers: answers })
  @ApiErrors(fileErrors.UPLOAD_PROTOCOL, zoneErrors.ZONE_FORBIDDEN, fileErrors.UPLOAD_NOT_FOUND)
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND, fileErrors.UPLOAD_OFFSET)
  @ApiErrors(fileErrors.DUPLICATE_NAMES, fileErrors.MIRROR_READ_ONLY, fileErrors.UPLOAD_VERSION)
  @ApiErrors(fileErrors.UPLOAD_TOO_LONG, commonErrors.UNSUPPORTED_TYPE, fileErrors.UPLOAD_LOCKED)
  @ApiErrors(storageErrors.STORAGE_UNAVAILABLE)
  resume(@CurrentViewer() viewer: Viewer, @Req() request: HttpRequest, @Res() response: HttpResponse): Promise<void> {
    return this.speak(viewer, request, response);
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
    return this.speak(viewer, request, response);
  }

  /** @param bodyOf the body of a good answer; most have none */
  private async speak(
    { userId }: Viewer,
    request: HttpRequest,
    response: HttpResponse,
    bodyOf?: (answer: Response) => Promise<ResumableUploadDto>,
  ): Promise<void> {
    response.set({ 'Tus-Resumable': TUS_VERSION, 'Tus-Version': TUS_VERSION });
    const asked = toWebRequest(request);
    try {
      const answer = await this.protocol.answer(asked.request, userId);
      sendAnswer(answer, response, await bodyOf?.(answer));
    } finally {
      asked.close();
    }
  }
}

/** The last part of the address that the protocol gave an upload. */
const idIn = (answer: Response) => answer.headers.get('Location')!.split('/').at(-1)!;

/**
 * A request as the protocol's library takes it. `close` ends the reading: what still comes is thrown away, within
 * bounds.
 */
function toWebRequest(request: HttpRequest): { request: Request; close: () => void } {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && !name.startsWith(':')) headers.set(name, value);
  }
  const bringsBytes = request.method === 'POST' || request.method === 'PATCH';
  if (bringsBytes) request.setTimeout(IDLE, () => request.destroy());
  // A reader that stops must not close the connection, over which the answer goes.
  const body = bringsBytes ? ReadableStream.from(bytesOf(request)) : null;
  const init = { method: request.method, headers, body, duplex: 'half' };
  return {
    request: new Request(`http://uploads${request.path}`, init as RequestInit),
    close: () => drainRefused(request, DRAINED_BYTES),
  };
}

async function* bytesOf(request: HttpRequest): AsyncGenerator<Uint8Array> {
  yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
}

/**
 * Sends what the library answers.
 * @param body JSON, instead of nothing
 */
function sendAnswer(answer: Response, response: HttpResponse, body?: object): void {
  response.status(answer.status);
  for (const [name, value] of answer.headers) if (!WITHHELD.test(name)) response.setHeader(name, value);
  if (body) response.json(body);
  else response.end();
}
