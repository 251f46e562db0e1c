import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { CurrentViewer, SignedIn } from '../../../platform/http/access.decorator.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { planErrors } from '../../plans/plans.errors.js';
import { CurrentZone, ZoneAccess } from '../../zones/access/zone-access.guard.js';
import type { AccessibleZone } from '../../zones/access/zone-access.repository.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import { TransferItemsDto, TransferredDto, TransferUndoneDto } from '../dto/transfer.dto.js';
import { fileErrors } from '../files.errors.js';
import { ItemCopyService } from './item-copy.service.js';
import { ItemTransferService } from './item-transfer.service.js';
import { TransferUndoService } from './transfer-undo.service.js';

@ApiTags('files')
@Controller('api')
export class TransfersController {
  constructor(
    private readonly itemCopy: ItemCopyService,
    private readonly itemTransfer: ItemTransferService,
    private readonly transferUndo: TransferUndoService,
  ) {}

  @Post('zones/:id/copy')
  @ZoneAccess('manageFiles')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Copy files and folders within the zone or to another zone of the same owner',
    description:
      'Either all of them are copied or none, at most 500 files. A copy has the current content and the permissions of the original, without its earlier versions and figures.',
  })
  @ApiOkResponse({ type: TransferredDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.NOTHING_CHOSEN, fileErrors.FOLDER_TOO_DEEP)
  @ApiErrors(fileErrors.TOO_MANY_TO_TRANSFER, fileErrors.FILE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND)
  @ApiErrors(fileErrors.DUPLICATE_NAMES, fileErrors.MIRROR_READ_ONLY, fileErrors.OTHER_ZONE)
  @ApiErrors(planErrors.PLAN_LIMIT, zoneErrors.ZONE_FULL, fileErrors.UPLOAD_EXPIRED)
  @ApiErrors(storageErrors.DISK_FULL, storageErrors.STORAGE_UNAVAILABLE)
  copyItems(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() { fileIds = [], folderIds = [], onConflict = 'rename', ...target }: TransferItemsDto,
  ): Promise<TransferredDto> {
    return this.itemCopy.copyItems(zone, userId, { fileIds, folderIds }, { ...target, onConflict });
  }

  @Post('zones/:id/transfer')
  @ZoneAccess('manageFiles')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Move files and folders to another zone of the same owner',
    description:
      'Either all of them are moved or none, at most 10,000 files. They keep their ids, figures, versions and mirrors. What is in the trash in a moved folder stays in the zone.',
  })
  @ApiOkResponse({ type: TransferredDto })
  @ApiErrors(commonErrors.VALIDATION_FAILED, fileErrors.NOTHING_CHOSEN, fileErrors.FOLDER_TOO_DEEP)
  @ApiErrors(fileErrors.TOO_MANY_TO_TRANSFER, fileErrors.FILE_NOT_FOUND, fileErrors.FOLDER_NOT_FOUND)
  @ApiErrors(fileErrors.SAME_ZONE, fileErrors.MIRRORED_THERE, fileErrors.MIRROR_READ_ONLY, fileErrors.OTHER_ZONE)
  transferItems(
    @CurrentZone() zone: AccessibleZone,
    @CurrentViewer() { userId }: Viewer,
    @Body() { fileIds = [], folderIds = [], onConflict = 'rename', ...target }: TransferItemsDto,
  ): Promise<TransferredDto> {
    return this.itemTransfer.transferItems(zone, userId, { fileIds, folderIds }, { ...target, onConflict });
  }

  @Post('transfers/:id/undo')
  @SignedIn()
  @HttpCode(200)
  @ApiParam({ name: 'id', schema: { type: 'string', format: 'uuid' } })
  @ApiOperation({
    summary: 'Undo a copy, or a move to another zone',
    description:
      'Possible for 30 minutes, for the person who made it. Moved items go back to their former folders, copies to the trash, and replaced items are restored. Items that were deleted or moved on in the meantime stay where they are.',
  })
  @ApiOkResponse({ type: TransferUndoneDto })
  @ApiErrors(fileErrors.UNDO_EXPIRED, zoneErrors.ZONE_NOT_FOUND, zoneErrors.ZONE_FORBIDDEN, fileErrors.OTHER_ZONE)
  @ApiErrors(fileErrors.MIRRORED_THERE, fileErrors.TOO_MANY_TO_TRANSFER)
  undoTransfer(@Param('id') undoId: string, @CurrentViewer() { userId }: Viewer): Promise<TransferUndoneDto> {
    return this.transferUndo.undoTransfer(undoId, userId);
  }
}
