import { Body, Controller, Get, Headers, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  type ApiBodyOptions,
} from '@nestjs/swagger';
import { isUUID } from 'class-validator';
import type { Request, Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { Consumes } from '../../../platform/http/parsing/body-type.guard.js';
import { ApiList, ApiOffset, ListQueryDto, sendPage } from '../../../platform/http/lists/list.js';
import { fieldError, validationPipe } from '../../../platform/http/parsing/validation.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { planErrors } from '../../plans/plans.errors.js';
import { CurrentZone, ZoneAccess } from '../../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { ZoneCapacityService } from '../../zones/zone/zone-capacity.service.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import {
  FileDto,
  FileListQueryDto,
  FilePositionQueryDto,
  PositionDto,
  RenameFileDto,
  UpdateFileDto,
  UploadTargetDto,
} from '../dto/file.dto.js';
import { CurrentFile, FileAccess } from '../access/file-access.guard.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { FileAccessService } from '../access/file-access.service.js';
import { FileListService } from '../reading/file-list.service.js';
import { ItemUpdateService } from './item-update.service.js';
import { fileErrors } from '../files.errors.js';
import { UploadForm } from '../upload/upload-form.js';
import { UploadDestinationService } from '../upload/upload-destination.service.js';
import { FormUploadService, type FormUploadDestination } from '../upload/form-upload.service.js';

const fieldRules = validationPipe();

const uploadBody: ApiBodyOptions = {
  schema: {
    type: 'object',
    required: ['files'],
    properties: {
      folderId: { type: 'integer', description: 'Must come before the first file; can also be sent in the query' },
      onConflict: {
        type: 'string',
        enum: ['rename', 'replace'],
        description: 'Must come before the first file; can also be sent in the query',
      },
      files: { type: 'array', items: { type: 'string', format: 'binary' } },
    },
  },
};

const uploadKeyHeader = {
  name: 'Idempotency-Key',
  required: false,
  description: 'A UUID that identifies the request. A repeated request with the same UUID stores nothing again.',
  schema: { type: 'string', format: 'uuid' },
};
const invalidUploadKey = { en: 'The request key must be a UUID.', tr: 'İsteğin anahtarı bir UUID olmalıdır.' };

@ApiTags('files')
@Controller('api')
export class FilesController {
  constructor(
    private readonly access: FileAccessService,
    private readonly fileList: FileListService,
    private readonly itemUpdate: ItemUpdateService,
    private readonly formUpload: FormUploadService,
    private readonly uploadDestination: UploadDestinationService,
    private readonly zoneCapacity: ZoneCapacityService,
  ) {}

  @Get('zones/:id/files')
  @ZoneAccess('read')
  @ApiOffset()
  @ApiList()
  @ApiOperation({ summary: 'List the files of a folder or of the root of a zone' })
  @ApiOkResponse({ type: [FileDto] })
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.ZONE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND)
  async list(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Query() query: FileListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileDto[]> {
    const location = await this.access.resolveReadableLocation(zone, userId, query.folderId ?? null);
    return sendPage(response, await this.fileList.listFiles(location, query));
  }

  @Get('zones/:id/files/position')
  @ZoneAccess('read')
  @ApiOperation({ summary: 'Find the position of a file in the sorted list of its folder or of the root of the zone' })
  @ApiOkResponse({ type: PositionDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.ZONE_NOT_FOUND)
  @ApiErrors(fileErrors.FOLDER_NOT_FOUND, fileErrors.FILE_NOT_FOUND)
  async position(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Query() query: FilePositionQueryDto,
  ): Promise<PositionDto> {
    const location = await this.access.resolveReadableLocation(zone, userId, query.folderId ?? null);
    return this.fileList.findPosition(location, query);
  }

  @Get('zones/:id/all-files')
  @ZoneAccess('read')
  @ApiList()
  @ApiOperation({ summary: 'List all files of a zone in all folders, newest first, without mirrored files' })
  @ApiOkResponse({ type: [FileDto] })
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND)
  async listAll(
    @CurrentZone() { id, role }: AccessibleZone,
    @CurrentViewer() { userId: viewer }: Viewer,
    @Query() query: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileDto[]> {
    return sendPage(response, await this.fileList.listAllFiles({ zoneId: Number(id), role, viewer }, query));
  }

  @Post('zones/:id/files')
  @ZoneAccess('read')
  @Consumes('multipart/form-data')
  @ApiOperation({
    summary: 'Upload files; either all of them are stored or none',
    description: 'Members can send files to a folder that requests them. Names that are taken there get a number.',
  })
  @ApiBody(uploadBody)
  @ApiHeader(uploadKeyHeader)
  @ApiCreatedResponse({ type: [FileDto] })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.NO_FILES, fileErrors.TOO_MANY_FILES, fileErrors.INVALID_NAME)
  @ApiErrors(fileErrors.UPLOAD_MALFORMED, zoneErrors.ZONE_FORBIDDEN, zoneErrors.ZONE_FULL, planErrors.PLAN_LIMIT)
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND, fileErrors.DUPLICATE_NAMES)
  @ApiErrors(fileErrors.MIRROR_READ_ONLY, fileErrors.UPLOAD_EXPIRED, fileErrors.FILE_TOO_LARGE)
  @ApiErrors(fileErrors.FILE_REQUEST_CLOSED, fileErrors.FILE_REQUEST_LIMIT)
  @ApiErrors(commonErrors.UNSUPPORTED_TYPE, storageErrors.DISK_FULL, storageErrors.STORAGE_UNAVAILABLE)
  async upload(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Query() query: UploadTargetDto,
    @Headers('idempotency-key') key: string | undefined,
    @Req() request: Request,
  ): Promise<FileDto[]> {
    if (key !== undefined && !isUUID(key)) throw fieldError('Idempotency-Key', invalidUploadKey);
    const form = await UploadForm.open(request);
    try {
      const { folderId = null, onConflict = 'refuse' } = { ...query, ...(await parseFields(form)) };
      const destination = await this.uploadDestination.resolve(zone, userId, folderId, onConflict);
      const { location } = destination;
      const target: FormUploadDestination = { ...destination, key, contentLength: form.contentLength };
      const receive = () => this.formUpload.uploadFiles(target, form.files());
      const ids = await this.zoneCapacity.translatePlanLimit(location.ownerId, userId, receive);
      return await this.fileList.findByIds(location, ids);
    } finally {
      form.close();
    }
  }

  @Get('files/:id')
  @FileAccess('read')
  @ApiOperation({
    summary: 'Get a file, in the zone where the viewer sees it; their own zone takes precedence over mirrors',
  })
  @ApiOkResponse({ type: FileDto })
  get(@CurrentFile() file: AccessibleFile): Promise<FileDto> {
    return this.fileList.findOne(file.id, file);
  }

  @Patch('files/:id')
  @FileAccess('manage')
  @ApiOperation({ summary: 'Set whether members may download a file and select its text' })
  @ApiOkResponse({ type: FileDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async update(@CurrentFile() file: AccessibleFile, @Body() rights: UpdateFileDto): Promise<FileDto> {
    await this.itemUpdate.updatePermissions(file, rights);
    return this.fileList.findOne(file.id, file);
  }

  @Patch('files/:id/rename')
  @FileAccess('manage')
  @ApiOperation({ summary: 'Rename a file; its extension is kept' })
  @ApiOkResponse({ type: FileDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.INVALID_NAME, fileErrors.DUPLICATE_NAMES)
  async rename(
    @CurrentFile() file: AccessibleFile,
    @CurrentViewer() { userId }: Viewer,
    @Body() { originalName }: RenameFileDto,
  ): Promise<FileDto> {
    await this.itemUpdate.renameFile(file, userId, originalName);
    return this.fileList.findOne(file.id, file);
  }
}

function parseFields({ fields }: UploadForm): Promise<UploadTargetDto> {
  return fieldRules.transform(fields, { type: 'body', metatype: UploadTargetDto });
}
