import { Body, Controller, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { CurrentZone, ZoneAccess } from '../../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { FileDto } from '../dto/file.dto.js';
import { FolderDetailDto } from '../dto/folder.dto.js';
import { MoveDto, MovedDto, MoveItemsDto } from '../dto/items.dto.js';
import { CurrentFile, CurrentFolder, FileAccess, FolderAccess } from '../access/file-access.guard.js';
import type { AccessibleFile, AccessibleFolder } from '../access/file-access.repository.js';
import { FileAccessService } from '../access/file-access.service.js';
import { FileListService } from '../reading/file-list.service.js';
import { fileErrors } from '../files.errors.js';
import { FolderListService } from '../reading/folder-list.service.js';
import { ItemMoveService, type MoveTarget } from './item-move.service.js';

@ApiTags('files')
@Controller('api')
export class MovesController {
  constructor(
    private readonly itemMove: ItemMoveService,
    private readonly access: FileAccessService,
    private readonly fileList: FileListService,
    private readonly folderList: FolderListService,
  ) {}

  @Patch('files/:id/move')
  @FileAccess('manage')
  @ApiOperation({ summary: 'Move a file to another folder of its zone, or to the root' })
  @ApiOkResponse({ type: FileDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.FOLDER_NOT_FOUND, fileErrors.DUPLICATE_NAMES)
  @ApiErrors(fileErrors.OTHER_ZONE)
  async moveFile(
    @CurrentFile() file: AccessibleFile,
    @CurrentViewer() { userId }: Viewer,
    @Body() target: MoveDto,
  ): Promise<FileDto> {
    await this.itemMove.moveItems(file, userId, { fileIds: [file.id], folderIds: [] }, targetOf(target));
    return this.fileList.findOne(file.id, file);
  }

  @Patch('folders/:id/move')
  @FolderAccess('manage')
  @ApiOperation({ summary: 'Move a folder with its content to another folder of its zone, or to the root' })
  @ApiOkResponse({ type: FolderDetailDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.FOLDER_TOO_DEEP, fileErrors.FOLDER_NOT_FOUND)
  @ApiErrors(fileErrors.DUPLICATE_NAMES, fileErrors.MOVE_INTO_ITSELF, fileErrors.OTHER_ZONE)
  async moveFolder(
    @CurrentFolder() folder: AccessibleFolder,
    @CurrentViewer() { userId }: Viewer,
    @Body() target: MoveDto,
  ): Promise<FolderDetailDto> {
    await this.itemMove.moveItems(folder, userId, { fileIds: [], folderIds: [folder.id] }, targetOf(target));
    const moved = await this.access.findFolder(folder.id, userId);
    if (!moved) throw fileErrors.FOLDER_NOT_FOUND();
    return this.folderList.findOne(moved);
  }

  @Post('zones/:id/move')
  @ZoneAccess('manageFiles')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Move files and folders to a folder of the zone, or to the root; either all of them or none',
  })
  @ApiOkResponse({ type: MovedDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.NOTHING_CHOSEN, fileErrors.FOLDER_TOO_DEEP)
  @ApiErrors(fileErrors.FILE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND, fileErrors.DUPLICATE_NAMES)
  @ApiErrors(fileErrors.MIRROR_READ_ONLY, fileErrors.OTHER_ZONE, fileErrors.MOVE_INTO_ITSELF)
  async moveMany(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() { fileIds = [], folderIds = [], ...target }: MoveItemsDto,
  ): Promise<MovedDto> {
    const location = { zoneId: zone.id, ownerId: zone.ownerId };
    return { moved: await this.itemMove.moveItems(location, userId, { fileIds, folderIds }, targetOf(target)) };
  }
}

function targetOf({ targetFolderId, onConflict }: MoveDto): MoveTarget {
  return { folderId: targetFolderId, onConflict: onConflict ?? 'refuse' };
}
