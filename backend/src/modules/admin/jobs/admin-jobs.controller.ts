import { Controller, Delete, Get, Post, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminOnly, Confirmed } from '../../../platform/http/access.decorator.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  ApiTotal,
  Answers,
  AnswersAdminPage,
  AnswersCsv,
  AnswersNothing,
} from '../../../platform/http/answers.decorator.js';
import { plainColumns } from '../../../platform/http/lists/csv-file.js';
import { sendAdminPage, type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/reading/id.pipe.js';
import { CurrentActor, type Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { AdminJobDto, ClockJobDto, RetriedJobsDto } from '../dto/admin-lists.dto.js';
import { JobQueryDto } from '../dto/list-query.dto.js';
import { ExportService } from '../export.service.js';
import { JobListService } from './job-list.service.js';
import { JobRepairService } from './job-repair.service.js';

@ApiTags('admin')
@Controller('api/admin')
export class AdminJobsController {
  constructor(
    private readonly jobs: JobListService,
    private readonly repair: JobRepairService,
    private readonly exports: ExportService,
  ) {}

  @Get('jobs')
  @AdminOnly()
  @AnswersAdminPage('List the waiting, running and failed jobs', AdminJobDto)
  list(@Query() query: JobQueryDto): Promise<AdminPage<AdminJobDto>> {
    return this.jobs.page(query);
  }

  @Get('jobs/export')
  @AdminOnly()
  @Confirmed()
  @AnswersCsv('Export the jobs as a CSV file, with the same filters', commonErrors.VALIDATION_FAILED)
  export(@Query() query: JobQueryDto, @CurrentActor() by: Actor): Promise<StreamableFile> {
    return this.exports.start('jobs', by, this.jobs.all(query), {
      ...plainColumns('id', 'queue', 'name', 'state', 'attempts', 'maxAttempts', 'runAt', 'lastError'),
      payload: ({ payload }) => JSON.stringify(payload),
      createdAt: ({ createdAt }) => createdAt,
    });
  }

  @Get('clock-jobs')
  @AdminOnly()
  @ApiOperation({ summary: 'List the scheduled jobs with their last and next run' })
  @ApiOkResponse({ type: [ClockJobDto], headers: ApiTotal })
  async clockJobs(@Res({ passthrough: true }) response: Response): Promise<ClockJobDto[]> {
    const rows = await this.jobs.clockJobs();
    return sendAdminPage(response, { rows, total: rows.length });
  }

  @Post('jobs/retry-dead')
  @AdminOnly()
  @Answers('Retry all failed jobs', RetriedJobsDto)
  async retryDead(@CurrentActor() by: Actor): Promise<RetriedJobsDto> {
    return { retried: await this.repair.retryDead(by) };
  }

  @Post('jobs/:id/retry')
  @AdminOnly()
  @AnswersNothing('Retry a waiting or failed job now')
  @ApiErrors(adminErrors.JOB_NOT_FOUND, adminErrors.JOB_IS_RUNNING)
  retry(@IdParam() id: number, @CurrentActor() by: Actor): Promise<void> {
    return this.repair.retry(id, by);
  }

  @Delete('jobs/:id')
  @AdminOnly()
  @AnswersNothing('Discard a failed job')
  @ApiErrors(adminErrors.JOB_NOT_FOUND, adminErrors.JOB_NOT_DEAD)
  discard(@IdParam() id: number, @CurrentActor() by: Actor): Promise<void> {
    return this.repair.discard(id, by);
  }
}
