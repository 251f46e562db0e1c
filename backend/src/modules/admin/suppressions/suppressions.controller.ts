import { Body, Controller, Delete, Get, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly, RequireReauthentication } from '../../../platform/http/access.decorator.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { ApiJson, ApiAdminPaginated, ApiCsv, ApiNoContent } from '../../../platform/http/api-response.decorator.js';
import { fieldColumns } from '../../../platform/http/lists/csv-file.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import { CurrentActor, type Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { LiftedSuppressionsDto, SuppressionDto } from '../dto/admin-lists.dto.js';
import { LiftManyDto, SuppressionQueryDto } from '../dto/list-query.dto.js';
import { ListExportService } from '../list-export.service.js';
import { SuppressionAdminService } from './suppression-admin.service.js';

@ApiTags('admin')
@Controller('api/admin/suppressions')
export class SuppressionsController {
  constructor(
    private readonly suppressionAdmin: SuppressionAdminService,
    private readonly exports: ListExportService,
  ) {}

  @Get()
  @AdminOnly()
  @ApiAdminPaginated(
    'List the suppressed addresses, stored only as digests; `q` is a full email address',
    SuppressionDto,
  )
  list(@Query() query: SuppressionQueryDto): Promise<AdminPage<SuppressionDto>> {
    return this.suppressionAdmin.listPage(query);
  }

  @Get('export')
  @AdminOnly()
  @RequireReauthentication()
  @ApiCsv(
    'Export the suppressions as a CSV file, with the same filters and without the addresses',
    commonErrors.VALIDATION_FAILED,
  )
  export(@Query() query: SuppressionQueryDto, @CurrentActor() actor: Actor): Promise<StreamableFile> {
    return this.exports.exportList('suppressions', actor, this.suppressionAdmin.streamAll(query), {
      ...fieldColumns('id', 'ownerId', 'ownerEmail', 'reason', 'createdAt'),
    });
  }

  @Post('lift')
  @AdminOnly()
  @ApiJson(
    'Resume sending to bounced addresses: the given ones, or all that bounced since a time',
    LiftedSuppressionsDto,
  )
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async liftMany(@Body() which: LiftManyDto, @CurrentActor() actor: Actor): Promise<LiftedSuppressionsDto> {
    return { lifted: await this.suppressionAdmin.liftSuppressions(which, actor) };
  }

  @Delete(':id')
  @AdminOnly()
  @ApiNoContent('Resume sending to a bounced address')
  @ApiErrors(adminErrors.SUPPRESSION_NOT_FOUND, adminErrors.SUPPRESSION_STAYS)
  lift(@IdParam() id: number, @CurrentActor() actor: Actor): Promise<void> {
    return this.suppressionAdmin.liftSuppression(id, actor);
  }
}
