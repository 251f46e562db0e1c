import { Body, Controller, Delete, Get, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly, Confirmed } from '../../../platform/http/access.decorator.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { Answers, AnswersAdminPage, AnswersCsv, AnswersNothing } from '../../../platform/http/answers.decorator.js';
import { plainColumns } from '../../../platform/http/lists/csv-file.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/reading/id.pipe.js';
import { CurrentActor, type Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { LiftedSuppressionsDto, SuppressionDto } from '../dto/admin-lists.dto.js';
import { LiftManyDto, SuppressionQueryDto } from '../dto/list-query.dto.js';
import { ExportService } from '../export.service.js';
import { SuppressionListService } from './suppression-list.service.js';

@ApiTags('admin')
@Controller('api/admin/suppressions')
export class SuppressionsController {
  constructor(
    private readonly suppressions: SuppressionListService,
    private readonly exports: ExportService,
  ) {}

  @Get()
  @AdminOnly()
  @AnswersAdminPage(
    'List the suppressed addresses, stored only as digests; `q` is a full email address',
    SuppressionDto,
  )
  list(@Query() query: SuppressionQueryDto): Promise<AdminPage<SuppressionDto>> {
    return this.suppressions.page(query);
  }

  @Get('export')
  @AdminOnly()
  @Confirmed()
  @AnswersCsv(
    'Export the suppressions as a CSV file, with the same filters and without the addresses',
    commonErrors.VALIDATION_FAILED,
  )
  export(@Query() query: SuppressionQueryDto, @CurrentActor() by: Actor): Promise<StreamableFile> {
    return this.exports.start('suppressions', by, this.suppressions.all(query), {
      ...plainColumns('id', 'ownerId', 'ownerEmail', 'reason', 'createdAt'),
    });
  }

  @Post('lift')
  @AdminOnly()
  @Answers(
    'Resume sending to bounced addresses: the given ones, or all that bounced since a time',
    LiftedSuppressionsDto,
  )
  @ApiErrors(commonErrors.VALIDATION_FAILED)
  async liftMany(@Body() which: LiftManyDto, @CurrentActor() by: Actor): Promise<LiftedSuppressionsDto> {
    return { lifted: await this.suppressions.liftMany(which, by) };
  }

  @Delete(':id')
  @AdminOnly()
  @AnswersNothing('Resume sending to a bounced address')
  @ApiErrors(adminErrors.SUPPRESSION_NOT_FOUND, adminErrors.SUPPRESSION_STAYS)
  lift(@IdParam() id: number, @CurrentActor() by: Actor): Promise<void> {
    return this.suppressions.lift(id, by);
  }
}
