import { Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly, CurrentViewer, SuperAdminOnly } from '../../../platform/http/access.decorator.js';
import { ApiAdminPaginated, ApiNoContent } from '../../../platform/http/api-response.decorator.js';
import { AdminListQueryDto, type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { storageErrors } from '../../../platform/storage/storage.errors.js';
import { CurrentActor, type Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { QuarantinedObjectDto } from '../dto/admin-lists.dto.js';
import { QuarantineAdminService } from './quarantine-admin.service.js';

@ApiTags('admin')
@Controller('api/admin/quarantine')
export class QuarantineController {
  constructor(private readonly quarantineAdmin: QuarantineAdminService) {}

  @Get()
  @AdminOnly()
  @ApiAdminPaginated('List orphaned stored objects; they are deleted after 30 days', QuarantinedObjectDto)
  list(@Query() query: AdminListQueryDto, @CurrentViewer() viewer: Viewer): Promise<AdminPage<QuarantinedObjectDto>> {
    return this.quarantineAdmin.listPage(query, viewer);
  }

  @Post(':id/restore')
  @SuperAdminOnly()
  @ApiNoContent('Restore a stored object from quarantine')
  @ApiErrors(adminErrors.QUARANTINED_NOT_FOUND, storageErrors.STORAGE_UNAVAILABLE)
  restore(@IdParam() id: number, @CurrentActor() actor: Actor): Promise<void> {
    return this.quarantineAdmin.restoreObject(id, actor);
  }

  @Delete(':id')
  @SuperAdminOnly()
  @ApiNoContent('Permanently delete an orphaned stored object before its time')
  @ApiErrors(adminErrors.QUARANTINED_NOT_FOUND, adminErrors.QUARANTINED_IS_NAMED, storageErrors.STORAGE_UNAVAILABLE)
  remove(@IdParam() id: number, @CurrentActor() actor: Actor): Promise<void> {
    return this.quarantineAdmin.deleteObject(id, actor);
  }
}
