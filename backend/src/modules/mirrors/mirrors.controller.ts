import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../platform/http/access.decorator.js';
import { ApiErrors } from '../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../platform/http/parsing/id.pipe.js';
import { ApiList, ListQueryDto, sendPage } from '../../platform/http/lists/list.js';
import type { Viewer } from '../../platform/http/parsing/viewer.js';
import { CurrentFolder, FolderAccess } from '../files/access/file-access.guard.js';
import type { AccessibleFolder } from '../files/access/file-access.repository.js';
import { fileErrors } from '../files/files.errors.js';
import { CurrentZone, ZoneAccess } from '../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../zones/access/zone-access.repository.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { CreateMirrorDto, MirrorDto, UpdateMirrorDto } from './dto/mirror.dto.js';
import { MirrorRepository } from './mirror.repository.js';
import { MirrorService } from './mirror.service.js';
import { mirrorErrors } from './mirrors.errors.js';

@ApiTags('mirrors')
@Controller('api')
export class MirrorsController {
  constructor(
    private readonly service: MirrorService,
    private readonly mirrors: MirrorRepository,
  ) {}

  @Get('folders/:id/mirrors')
  @FolderAccess('mirror')
  @ApiList()
  @ApiOperation({ summary: 'List the mirrors of a folder' })
  @ApiOkResponse({ type: [MirrorDto] })
  async ofFolder(
    @CurrentFolder() folder: AccessibleFolder,
    @Query() query: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MirrorDto[]> {
    return sendPage(response, await this.mirrors.listForFolder(folder.id, query));
  }

  @Get('zones/:id/folder-mirrors')
  @ZoneAccess('manageMirrors')
  @ApiList()
  @ApiOperation({ summary: 'List the mirrors of a zone’s folders in other zones, and the mirrors in this zone' })
  @ApiOkResponse({ type: [MirrorDto] })
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN)
  async ofZone(
    @CurrentZone() zone: AccessibleZone,
    @Query() query: ListQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MirrorDto[]> {
    return sendPage(response, await this.mirrors.listForZone(zone.id, query));
  }

  @Post('zones/:id/folder-mirrors')
  @ZoneAccess('manageMirrors')
  @ApiOperation({ summary: 'Mirror a folder of this zone in another zone of the same owner' })
  @ApiCreatedResponse({ type: MirrorDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.INVALID_NAME, mirrorErrors.MIRROR_SAME_ZONE)
  @ApiErrors(zoneErrors.ZONE_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN, fileErrors.FOLDER_NOT_FOUND)
  @ApiErrors(mirrorErrors.DUPLICATE_MIRROR, mirrorErrors.MIRROR_OF_MIRROR, fileErrors.DUPLICATE_NAMES)
  async create(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() dto: CreateMirrorDto,
  ): Promise<MirrorDto> {
    return this.mirrors.getMirror(await this.service.createMirror(zone, userId, dto));
  }

  @Patch('folder-mirrors/:id')
  @SignedIn()
  @ApiOperation({ summary: 'Hide a mirror, or show it again' })
  @ApiOkResponse({ type: MirrorDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, mirrorErrors.MIRROR_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN)
  async setActive(
    @IdParam() id: number,
    @CurrentViewer() { userId }: Viewer,
    @Body() { isActive }: UpdateMirrorDto,
  ): Promise<MirrorDto> {
    await this.service.setActive(id, userId, isActive);
    return this.mirrors.getMirror(id);
  }

  @Delete('folder-mirrors/:id')
  @SignedIn()
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a mirror and its folder; the source is kept' })
  @ApiNoContentResponse()
  @ApiErrors(mirrorErrors.MIRROR_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN)
  delete(@IdParam() id: number, @CurrentViewer() { userId }: Viewer): Promise<void> {
    return this.service.removeMirror(id, userId);
  }
}
