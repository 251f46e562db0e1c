import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ApiList, ListQueryDto, sendPage } from '../../../platform/http/lists/list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { CurrentZone, ZoneAccess } from '../../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { ItemsDto, PurgeDto, PurgedDto, RestoreDto, RestoredDto, TrashedDto, TrashEntryDto } from '../dto/items.dto.js';
import { CurrentFile, CurrentFolder, FileAccess, FolderAccess } from '../access/file-access.guard.js';
import type { AccessZone, AccessibleFile, AccessibleFolder } from '../access/file-access.repository.js';
import { fileErrors } from '../files.errors.js';
import { TrashRestoreService } from './trash-restore.service.js';
import { TrashPurgeService } from './trash-purge.service.js';
import { ItemTrashService } from './item-trash.service.js';

/** Response of a single deletion: an empty body and the id for undoing it. */
const ApiTrashed = () =>
  ApiNoContentResponse({
    headers: {
      'X-Trash-Id': {
        description: 'Id for restoring it with `trash/restore`; omitted for a mirror, which is removed',
        schema: { type: 'string', format: 'uuid' },
      },
    },
  });

@ApiTags('trash')
@Controller('api')
export class TrashController {
  constructor(
    private readonly itemTrash: ItemTrashService,
    private readonly trashRestore: TrashRestoreService,
    private readonly trashPurge: TrashPurgeService,
  ) {}

  @Delete('files/:id')
  @FileAccess('delete')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Move a file to the trash; also for members who sent it for a file request that is open',
  })
  @ApiTrashed()
  async deleteFile(
    @CurrentFile() file: AccessibleFile,
    @CurrentViewer() { userId }: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const { trashId } = await this.itemTrash.moveToTrash(file, userId, { fileIds: [file.id], folderIds: [] });
    if (trashId) response.setHeader('X-Trash-Id', trashId);
  }

  @Delete('folders/:id')
  @FolderAccess('manage')
  @HttpCode(204)
  @ApiOperation({ summary: 'Move a folder with its content to the trash; a mirror is removed instead' })
  @ApiTrashed()
  async deleteFolder(
    @CurrentFolder() folder: AccessibleFolder,
    @CurrentViewer() { userId }: Viewer,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const { trashId } = await this.itemTrash.moveToTrash(folder, userId, { fileIds: [], folderIds: [folder.id] });
    if (trashId) response.setHeader('X-Trash-Id', trashId);
  }

  @Post('zones/:id/delete')
  @ZoneAccess('manageFiles')
  @HttpCode(200)
  @ApiOperation({ summary: 'Move files, and folders with their content, to the trash; either all of them or none' })
  @ApiOkResponse({ type: TrashedDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.NOTHING_CHOSEN, fileErrors.FILE_NOT_FOUND)
  @ApiErrors(fileErrors.FOLDER_NOT_FOUND, fileErrors.MIRROR_READ_ONLY, fileErrors.OTHER_ZONE)
  deleteMany(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() { fileIds = [], folderIds = [] }: ItemsDto,
  ): Promise<TrashedDto> {
    return this.itemTrash.moveToTrash(toAccessZone(zone), userId, { fileIds, folderIds });
  }

  @Get('zones/:id/trash')
  @ZoneAccess('manageFiles')
  @ApiList()
  @ApiOperation({ summary: 'List the trash of a zone, last deleted first' })
  @ApiOkResponse({ type: [TrashEntryDto] })
  async list(
    @CurrentZone() zone: AccessibleZone,
    @Query() page: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TrashEntryDto[]> {
    return sendPage(response, await this.trashRestore.listEntries(zone.id, page));
  }

  @Post('zones/:id/trash/restore')
  @ZoneAccess('manageFiles')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Restore items from the trash, or everything from one deletion; either all of them or none',
  })
  @ApiOkResponse({ type: [RestoredDto] })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.NOTHING_CHOSEN, fileErrors.TRASH_NOT_FOUND)
  restore(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() { fileIds = [], folderIds = [], trashId }: RestoreDto,
  ): Promise<RestoredDto[]> {
    return this.trashRestore.restoreEntries(toAccessZone(zone), userId, {
      fileIds,
      folderIds,
      trashId: trashId ?? null,
    });
  }

  @Post('zones/:id/trash/purge')
  @ZoneAccess('emptyTrash')
  @HttpCode(200)
  @ApiOperation({ summary: 'Permanently delete items from the trash, or empty it' })
  @ApiOkResponse({ type: PurgedDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.NOTHING_CHOSEN, fileErrors.TRASH_NOT_FOUND)
  purge(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() { fileIds = [], folderIds = [], all = false }: PurgeDto,
  ): Promise<PurgedDto> {
    return this.trashPurge.purgeEntries(toAccessZone(zone), userId, { fileIds, folderIds, all });
  }
}

function toAccessZone(zone: AccessibleZone): Pick<AccessZone, 'zoneId' | 'ownerId' | 'role'> {
  return { zoneId: zone.id, ownerId: zone.ownerId, role: zone.role };
}
