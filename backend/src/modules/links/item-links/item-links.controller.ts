import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiCreated, ApiJson, ApiNoContent, ApiPaginated } from '../../../platform/http/api-response.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { CurrentFile, CurrentFolder, FileAccess, FolderAccess } from '../../files/access/file-access.guard.js';
import type { AccessibleFile, AccessibleFolder } from '../../files/access/file-access.repository.js';
import { CurrentZone, ZoneAccess } from '../../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { CreateItemLinkDto, ItemGuestDto, ItemLinkDto, UpdateItemLinkDto } from '../dto/item-link.dto.js';
import { linkErrors } from '../links.errors.js';
import { ItemLinkService } from './item-link.service.js';

/** Links to files and folders, for the owner of their zone. */
@ApiTags('links')
@Controller('api')
export class ItemLinksController {
  constructor(private readonly links: ItemLinkService) {}

  @Get('zones/:id/item-links')
  @ZoneAccess('share')
  @ApiPaginated('List the links to all files and folders of a zone for people outside, newest first', ItemLinkDto)
  listOfZone(@CurrentZone() zone: AccessibleZone, @Query() page: ListQueryDto): Promise<Page<ItemLinkDto>> {
    return this.links.listZoneLinks(zone.id, page);
  }

  @Get('files/:id/links')
  @FileAccess('share')
  @ApiPaginated('List the links to a file for people outside, newest first', ItemLinkDto)
  listOfFile(@CurrentFile() file: AccessibleFile, @Query() page: ListQueryDto): Promise<Page<ItemLinkDto>> {
    return this.links.listLinks(toLinkedFile(file), page);
  }

  @Post('files/:id/links')
  @FileAccess('share')
  @ApiCreated('Create a link to a file for people outside', ItemLinkDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.SERVER_BUSY)
  createForFile(
    @CurrentFile() file: AccessibleFile,
    @CurrentViewer() { userId }: Viewer,
    @Body() dto: CreateItemLinkDto,
  ): Promise<ItemLinkDto> {
    return this.links.createLink(toLinkedFile(file), userId, dto);
  }

  @Get('folders/:id/links')
  @FolderAccess('share')
  @ApiPaginated('List the links to a folder for people outside, newest first', ItemLinkDto)
  listOfFolder(@CurrentFolder() folder: AccessibleFolder, @Query() page: ListQueryDto): Promise<Page<ItemLinkDto>> {
    return this.links.listLinks(toLinkedFolder(folder), page);
  }

  @Post('folders/:id/links')
  @FolderAccess('share')
  @ApiCreated('Create a link to a folder and everything in it for people outside', ItemLinkDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, commonErrors.SERVER_BUSY)
  createForFolder(
    @CurrentFolder() folder: AccessibleFolder,
    @CurrentViewer() { userId }: Viewer,
    @Body() dto: CreateItemLinkDto,
  ): Promise<ItemLinkDto> {
    return this.links.createLink(toLinkedFolder(folder), userId, dto);
  }

  @Get('item-links/:id')
  @SignedIn()
  @ApiJson('Get a link to a file or folder with its statistics', ItemLinkDto)
  @ApiErrors(linkErrors.ITEM_LINK_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN)
  find(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<ItemLinkDto> {
    return this.links.findLink(id, userId);
  }

  @Get('item-links/:id/guests')
  @SignedIn()
  @ApiPaginated('List the guests of a link to a file or folder, newest first', ItemGuestDto)
  @ApiErrors(linkErrors.ITEM_LINK_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN)
  guests(
    @IdParam() id: number,
    @CurrentViewer() { userId }: Viewer,
    @Query() page: ListQueryDto,
  ): Promise<Page<ItemGuestDto>> {
    return this.links.listGuests(id, userId, page);
  }

  @Patch('item-links/:id')
  @SignedIn()
  @ApiJson('Change, pause or resume a link to a file or folder; omitted fields are kept', ItemLinkDto)
  @ApiErrors(commonErrors.VALIDATION_FAILED, linkErrors.ITEM_LINK_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN)
  @ApiErrors(commonErrors.SERVER_BUSY)
  update(
    @IdParam() id: number,
    @CurrentViewer() { userId }: Viewer,
    @Body() dto: UpdateItemLinkDto,
  ): Promise<ItemLinkDto> {
    return this.links.updateLink(id, userId, dto);
  }

  @Delete('item-links/:id')
  @SignedIn()
  @ApiNoContent('Delete a link to a file or folder with its guests and statistics')
  @ApiErrors(linkErrors.ITEM_LINK_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN)
  delete(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.links.deleteLink(id, userId);
  }
}

const toLinkedFile = ({ id, zoneId }: AccessibleFile) => ({ zoneId, fileId: id, folderId: null });
const toLinkedFolder = ({ id, zoneId }: AccessibleFolder) => ({ zoneId, fileId: null, folderId: id });
