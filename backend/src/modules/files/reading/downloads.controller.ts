import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { AllowIncompleteProfile, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { Consumes } from '../../../platform/http/parsing/body-type.guard.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { CurrentZone, ZoneAccess } from '../../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { DownloadDto } from '../dto/items.dto.js';
import { fileErrors } from '../files.errors.js';
import { ZipPlanService } from '../zip/zip-plan.service.js';
import { ZipStreamService } from '../zip/zip-stream.service.js';

@ApiTags('files')
@Controller('api')
export class DownloadsController {
  constructor(
    private readonly zipPlan: ZipPlanService,
    private readonly zipStream: ZipStreamService,
  ) {}

  @Post('zones/:id/download')
  @AllowIncompleteProfile()
  @ZoneAccess('read')
  @HttpCode(200)
  @Consumes('application/json', 'application/x-www-form-urlencoded')
  @ApiProduces('application/zip')
  @ApiOperation({
    summary: 'Download files, folders with their content, or the whole zone as a zip archive',
    description: 'Files that may not be downloaded are left out, except for the owner and zone admins.',
  })
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.NOTHING_CHOSEN, fileErrors.TOO_MUCH_TO_DOWNLOAD)
  @ApiErrors(fileErrors.DOWNLOAD_NOT_ALLOWED, fileErrors.FILE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND)
  @ApiErrors(fileErrors.NOTHING_TO_DOWNLOAD)
  @ApiErrors(commonErrors.UNSUPPORTED_TYPE, storageErrors.STORAGE_UNAVAILABLE)
  async download(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() { fileIds = [], folderIds = [], all = false }: DownloadDto,
    @Res() response: Response,
  ): Promise<void> {
    const plan = all
      ? await this.zipPlan.planZone(zone.id, userId)
      : await this.zipPlan.planItems(zone.id, userId, { fileIds, folderIds });
    await this.zipStream.sendToUser(plan, { zoneId: zone.id, userId }, response);
  }
}
