import { Body, Controller, Get, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  type ApiBodyOptions,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/api-errors.decorator.js';
import { Consumes } from '../../platform/http/body-type.guard.js';
import { ApiList, ListQueryDto, sendPage } from '../../platform/http/list.js';
import { validationPipe } from '../../platform/http/validation.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { storageErrors } from '../../platform/storage/storage.errors.js';
import { planErrors } from '../plans/plans.errors.js';
import { CurrentZone, ZoneAccess } from '../zones/zone-access.guard.js';
import type { ViewedZone } from '../zones/zone-access.service.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { FileDto, FileListQueryDto, RenameFileDto, UpdateFileDto, UploadTargetDto } from './dto/file.dto.js';
import { CurrentFile, FileAccess } from './file-access.guard.js';
import type { ViewedFile } from './file-access.service.js';
import { FileListService } from './file-list.service.js';
import { FileService } from './file.service.js';
import { fileErrors } from './files.errors.js';
import { FolderPlaces } from './folder-places.service.js';
import { UploadForm } from './upload-form.js';
import { UploadService } from './upload.service.js';

const target = validationPipe();

const uploadBody: ApiBodyOptions = {
  schema: {
    type: 'object',
    required: ['files'],
    properties: {
      folderId: { type: 'integer', description: 'Before the first file; or in the query' },
      onConflict: { type: 'string', enum: ['rename'], description: 'Before the first file; or in the query' },
      files: { type: 'array', items: { type: 'string', format: 'binary' } },
    },
  },
};

@ApiTags('files')
@Controller('api')
export class FilesController {
  constructor(
    private readonly places: FolderPlaces,
    private readonly lists: FileListService,
    private readonly files: FileService,
    private readonly uploads: UploadService,
  ) {}

  @Get('zones/:id/files')
  @ZoneAccess('read')
  @ApiList()
  @ApiOperation({ summary: 'The files of a folder, or of the root of a zone' })
  @ApiOkResponse({ type: [FileDto] })
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.ZONE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND)
  async list(
    @CurrentZone() zone: ViewedZone,
    @CurrentViewer() { userId }: Viewer,
    @Query() query: FileListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileDto[]> {
    const place = await this.places.toRead(zone, userId, query.folderId ?? null);
    return sendPage(response, await this.lists.list(place, query));
  }

  @Get('zones/:id/all-files')
  @ZoneAccess('read')
  @ApiList()
  @ApiOperation({ summary: 'All files of a zone, in whatever folder, the newest first; without what its mirrors show' })
  @ApiOkResponse({ type: [FileDto] })
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND)
  async listAll(
    @CurrentZone() { id, role }: ViewedZone,
    @Query() query: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileDto[]> {
    return sendPage(response, await this.lists.everywhere({ zoneId: Number(id), role }, query));
  }

  @Post('zones/:id/files')
  @ZoneAccess('manageFiles')
  @Consumes('multipart/form-data')
  @ApiOperation({ summary: 'Upload files: all of them are stored, or none' })
  @ApiBody(uploadBody)
  @ApiCreatedResponse({ type: [FileDto] })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.NO_FILES, fileErrors.TOO_MANY_FILES, fileErrors.INVALID_NAME)
  @ApiErrors(fileErrors.UPLOAD_MALFORMED, zoneErrors.ZONE_FORBIDDEN, zoneErrors.ZONE_FULL, planErrors.PLAN_LIMIT)
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND, fileErrors.DUPLICATE_NAMES)
  @ApiErrors(fileErrors.MIRROR_READ_ONLY, fileErrors.UPLOAD_EXPIRED, fileErrors.FILE_TOO_LARGE)
  @ApiErrors(commonErrors.UNSUPPORTED_TYPE, storageErrors.STORAGE_UNAVAILABLE)
  async upload(
    @CurrentZone() zone: ViewedZone,
    @CurrentViewer() { userId }: Viewer,
    @Query() query: UploadTargetDto,
    @Req() request: Request,
  ): Promise<FileDto[]> {
    const form = await UploadForm.open(request);
    try {
      const fields = (await target.transform(form.fields, {
        type: 'body',
        metatype: UploadTargetDto,
      })) as UploadTargetDto;
      const { folderId = null, onConflict = 'refuse' } = { ...query, ...fields };
      const place = await this.places.toWrite(zone, userId, folderId);
      const announced = Number(request.headers['content-length'] ?? NaN);
      const ids = await this.uploads.upload(
        { place, userId, onConflict, announced: Number.isNaN(announced) ? null : announced },
        form.files(),
      );
      return await this.lists.byIds(place, ids);
    } finally {
      await form.close();
    }
  }

  @Patch('files/:id')
  @FileAccess('manage')
  @ApiOperation({ summary: 'Say whether members may download a file' })
  @ApiOkResponse({ type: FileDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async update(@CurrentFile() file: ViewedFile, @Body() { allowDownload }: UpdateFileDto): Promise<FileDto> {
    await this.files.allowDownload(file, allowDownload);
    return this.lists.one(file.id, file);
  }

  @Patch('files/:id/rename')
  @FileAccess('manage')
  @ApiOperation({ summary: 'Rename a file; its extension stays' })
  @ApiOkResponse({ type: FileDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.INVALID_NAME, fileErrors.DUPLICATE_NAMES)
  async rename(
    @CurrentFile() file: ViewedFile,
    @CurrentViewer() { userId }: Viewer,
    @Body() { originalName }: RenameFileDto,
  ): Promise<FileDto> {
    await this.files.rename(file, userId, originalName);
    return this.lists.one(file.id, file);
  }
}
