import { Body, Controller, Delete, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiJson, ApiNoContent, ApiPaginated } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { CurrentFolder, FolderAccess } from '../access/file-access.guard.js';
import type { AccessibleFolder } from '../access/file-access.repository.js';
import { SaveFileRequestDto, SubmissionDto } from '../dto/file-request.dto.js';
import { FolderDetailDto } from '../dto/folder.dto.js';
import { fileErrors } from '../files.errors.js';
import { FolderListService } from '../reading/folder-list.service.js';
import { FileRequestService } from './file-request.service.js';

/** File requests, for those who manage the files of a zone. Senders read them with the folder. */
@ApiTags('folders')
@Controller('api/folders/:id/file-request')
export class FileRequestsController {
  constructor(
    private readonly fileRequests: FileRequestService,
    private readonly folderList: FolderListService,
  ) {}

  @Put()
  @FolderAccess('manage')
  @ApiJson('Request files in a folder from the members of its zone, or change the request', FolderDetailDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async save(
    @CurrentFolder() folder: AccessibleFolder,
    @CurrentViewer() { userId }: Viewer,
    @Body() dto: SaveFileRequestDto,
  ): Promise<FolderDetailDto> {
    await this.fileRequests.saveRequest(folder, userId, dto);
    return this.folderList.findOne(folder);
  }

  @Delete()
  @FolderAccess('manage')
  @ApiNoContent('Stop requesting files in a folder; the files that were sent stay')
  @ApiErrors(fileErrors.FILE_REQUEST_NOT_FOUND)
  stop(@CurrentFolder() folder: AccessibleFolder): Promise<void> {
    return this.fileRequests.stopRequest(folder);
  }

  @Get('submissions')
  @FolderAccess('manage')
  @ApiPaginated('List the files that were sent to a folder, by person and then newest first', SubmissionDto)
  submissions(@CurrentFolder() folder: AccessibleFolder, @Query() page: ListQueryDto): Promise<Page<SubmissionDto>> {
    return this.fileRequests.listSubmissions(folder, page);
  }
}
