import { Controller, Delete, Get, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  type ApiBodyOptions,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ApiList, ListQueryDto, sendPage } from '../../../platform/http/lists/list.js';
import { Consumes } from '../../../platform/http/parsing/body-type.guard.js';
import { validationPipe } from '../../../platform/http/parsing/validation.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { planErrors } from '../../plans/plans.errors.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { CurrentFile, FileAccess } from '../access/file-access.guard.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import { FileDto } from '../dto/file.dto.js';
import { FileVersionDto, ReplaceFileDto } from '../dto/version.dto.js';
import { fileErrors } from '../files.errors.js';
import { FileListService } from '../reading/file-list.service.js';
import { UploadForm } from '../upload/upload-form.js';
import { ApiVersionNumber, VersionNumber } from '../shared/version-number.pipe.js';
import { FileVersionService } from './file-version.service.js';
import { VersionRemovalService } from './version-removal.service.js';

const fieldRules = validationPipe();

const replacementBody: ApiBodyOptions = {
  schema: {
    type: 'object',
    required: ['file'],
    properties: {
      ifVersion: {
        type: 'integer',
        minimum: 1,
        description: 'Must come before the file. If the file has another version, the request is refused.',
      },
      file: { type: 'string', format: 'binary' },
    },
  },
};

@ApiTags('files')
@Controller('api/files')
export class VersionsController {
  constructor(
    private readonly fileVersion: FileVersionService,
    private readonly versionRemoval: VersionRemovalService,
    private readonly fileList: FileListService,
  ) {}

  @Get(':id/versions')
  @FileAccess('manage')
  @ApiList()
  @ApiOperation({ summary: 'List the current content of a file and its earlier versions, newest first' })
  @ApiOkResponse({ type: [FileVersionDto] })
  async list(
    @CurrentFile() file: AccessibleFile,
    @Query() query: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileVersionDto[]> {
    return sendPage(response, await this.fileVersion.listVersions(file, query));
  }

  @Post(':id/versions')
  @FileAccess('manage')
  @Consumes('multipart/form-data')
  @ApiOperation({
    summary: 'Replace the content of a file',
    description: 'Its id, name, place, permissions and figures stay. The replaced content becomes an earlier version.',
  })
  @ApiBody(replacementBody)
  @ApiCreatedResponse({ type: FileDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.NO_FILES, fileErrors.TOO_MANY_FILES, fileErrors.INVALID_NAME)
  @ApiErrors(fileErrors.UPLOAD_MALFORMED, zoneErrors.ZONE_FULL, planErrors.PLAN_LIMIT, zoneErrors.ZONE_NOT_FOUND)
  @ApiErrors(
    fileErrors.FILE_CHANGED,
    fileErrors.FILE_TYPE_DIFFERS,
    fileErrors.UPLOAD_EXPIRED,
    fileErrors.FILE_TOO_LARGE,
  )
  @ApiErrors(commonErrors.UNSUPPORTED_TYPE, storageErrors.DISK_FULL, storageErrors.STORAGE_UNAVAILABLE)
  async replace(
    @CurrentFile() file: AccessibleFile,
    @CurrentViewer() { userId }: Viewer,
    @Req() request: Request,
  ): Promise<FileDto> {
    const form = await UploadForm.open(request, { field: 'file', maxFiles: 1 });
    try {
      const { ifVersion = null } = await parseFields(form);
      const length = request.headers['content-length'];
      const contentLength = length === undefined ? null : Number(length);
      await this.fileVersion.replaceFile(file, { userId, ifVersion, contentLength }, form.files());
    } finally {
      form.close();
    }
    return this.fileList.findOne(file.id, file);
  }

  @Post(':id/versions/:number/restore')
  @FileAccess('manage')
  @ApiVersionNumber()
  @ApiOperation({ summary: 'Make a copy of an earlier version the current content; it counts towards the storage' })
  @ApiCreatedResponse({ type: FileDto })
  @ApiErrors(fileErrors.VERSION_NOT_FOUND, fileErrors.VERSION_IS_CURRENT, zoneErrors.ZONE_FULL, planErrors.PLAN_LIMIT)
  @ApiErrors(fileErrors.UPLOAD_EXPIRED, fileErrors.FILE_TOO_LARGE, zoneErrors.ZONE_NOT_FOUND)
  @ApiErrors(storageErrors.DISK_FULL, storageErrors.STORAGE_UNAVAILABLE)
  async restore(
    @CurrentFile() file: AccessibleFile,
    @VersionNumber() number: number,
    @CurrentViewer() { userId }: Viewer,
  ): Promise<FileDto> {
    await this.fileVersion.restoreVersion(file, number, userId);
    return this.fileList.findOne(file.id, file);
  }

  @Delete(':id/versions/:number')
  @FileAccess('manage')
  @HttpCode(204)
  @ApiVersionNumber()
  @ApiOperation({ summary: 'Permanently delete an earlier version' })
  @ApiNoContentResponse()
  @ApiErrors(fileErrors.VERSION_NOT_FOUND, fileErrors.VERSION_IS_CURRENT, zoneErrors.ZONE_NOT_FOUND)
  async delete(
    @CurrentFile() file: AccessibleFile,
    @VersionNumber() number: number,
    @CurrentViewer() { userId }: Viewer,
  ): Promise<void> {
    await this.versionRemoval.deleteVersion(file, number, userId);
  }
}

function parseFields({ fields }: UploadForm): Promise<ReplaceFileDto> {
  return fieldRules.transform(fields, { type: 'body', metatype: ReplaceFileDto });
}
