import { Body, Controller, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ApiList, ApiOffset, sendPage } from '../../../platform/http/lists/list.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { CurrentZone, ZoneAccess } from '../../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { PositionDto } from '../dto/file.dto.js';
import {
  CreateFolderDto,
  FolderDetailDto,
  FolderDto,
  FolderListQueryDto,
  FolderPositionQueryDto,
  RenameFolderDto,
} from '../dto/folder.dto.js';
import { CurrentFolder, FolderAccess } from '../access/file-access.guard.js';
import type { AccessibleFolder } from '../access/file-access.repository.js';
import { FileAccessService } from '../access/file-access.service.js';
import { fileErrors, folderErrors } from '../files.errors.js';
import { FolderListService } from '../reading/folder-list.service.js';
import { CreateFolderTreeDto, FolderTreeDto } from '../dto/folder-tree.dto.js';
import { FolderTreeService } from './folder-tree.service.js';
import { ItemUpdateService } from './item-update.service.js';

@ApiTags('folders')
@Controller('api')
export class FoldersController {
  constructor(
    private readonly access: FileAccessService,
    private readonly folderList: FolderListService,
    private readonly itemUpdate: ItemUpdateService,
    private readonly folderTree: FolderTreeService,
  ) {}

  @Get('zones/:id/folders')
  @ZoneAccess('read')
  @ApiOffset()
  @ApiList()
  @ApiOperation({
    summary: 'List the folders directly in a folder or in the root of a zone, or all folders of the zone',
  })
  @ApiOkResponse({ type: [FolderDto] })
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.ZONE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND)
  async list(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Query() query: FolderListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FolderDto[]> {
    if (query.all === 'true') {
      const view = { zoneId: zone.id, role: zone.role, viewer: userId };
      return sendPage(response, await this.folderList.listAllFolders(view, query));
    }
    const location = await this.access.resolveReadableLocation(zone, userId, query.parentId ?? null);
    return sendPage(response, await this.folderList.listFolders(location, query));
  }

  @Get('zones/:id/folders/position')
  @ZoneAccess('read')
  @ApiOperation({ summary: 'Find the position of a folder among the folders of a folder or of the root of the zone' })
  @ApiOkResponse({ type: PositionDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, zoneErrors.ZONE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND)
  async position(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Query() query: FolderPositionQueryDto,
  ): Promise<PositionDto> {
    const location = await this.access.resolveReadableLocation(zone, userId, query.parentId ?? null);
    return this.folderList.findPosition(location, query);
  }

  @Post('zones/:id/folders')
  @ZoneAccess('manageFiles')
  @ApiOperation({ summary: 'Create a folder, at most five levels deep' })
  @ApiCreatedResponse({ type: FolderDetailDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.INVALID_NAME, fileErrors.FOLDER_TOO_DEEP)
  @ApiErrors(zoneErrors.ZONE_FORBIDDEN, zoneErrors.ZONE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND)
  @ApiErrors(fileErrors.DUPLICATE_NAMES, folderErrors.MIRROR_READ_ONLY)
  async create(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() { name, parentId }: CreateFolderDto,
  ): Promise<FolderDetailDto> {
    const location = await this.access.resolveWritableLocation(
      zone,
      userId,
      parentId ?? null,
      folderErrors.MIRROR_READ_ONLY,
    );
    return this.one(await this.itemUpdate.createFolder(location, userId, name), userId);
  }

  @Post('zones/:id/folders/tree')
  @ZoneAccess('manageFiles')
  @ApiOperation({
    summary: 'Create the folders of a tree that is going to be uploaded, and find out which of its files exist',
  })
  @ApiCreatedResponse({ type: FolderTreeDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.NOTHING_CHOSEN, fileErrors.TOO_MANY_FOLDERS)
  @ApiErrors(fileErrors.FOLDER_TOO_DEEP, zoneErrors.ZONE_FORBIDDEN, zoneErrors.ZONE_NOT_FOUND)
  @ApiErrors(fileErrors.FOLDER_NOT_FOUND, folderErrors.MIRROR_READ_ONLY)
  async createTree(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() dto: CreateFolderTreeDto,
  ): Promise<FolderTreeDto> {
    const parentId = dto.parentId ?? null;
    const location = await this.access.resolveWritableLocation(zone, userId, parentId, folderErrors.MIRROR_READ_ONLY);
    return this.folderTree.createTree(location, userId, dto);
  }

  @Get('folders/:id')
  @FolderAccess('read')
  @ApiOperation({ summary: 'Get a folder with its path' })
  @ApiOkResponse({ type: FolderDetailDto })
  get(@CurrentFolder() folder: AccessibleFolder): Promise<FolderDetailDto> {
    return this.folderList.findOne(folder);
  }

  @Patch('folders/:id')
  @FolderAccess('manage')
  @ApiOperation({ summary: 'Rename a folder' })
  @ApiOkResponse({ type: FolderDetailDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.INVALID_NAME, fileErrors.DUPLICATE_NAMES)
  async rename(
    @CurrentFolder() folder: AccessibleFolder,
    @CurrentViewer() { userId }: Viewer,
    @Body() { name }: RenameFolderDto,
  ): Promise<FolderDetailDto> {
    await this.itemUpdate.renameFolder(folder, userId, name);
    return this.folderList.findOne(folder);
  }

  private async one(id: number, userId: number): Promise<FolderDetailDto> {
    const folder = await this.access.findFolder(id, userId);
    if (!folder) throw fileErrors.FOLDER_NOT_FOUND();
    return this.folderList.findOne(folder);
  }
}
