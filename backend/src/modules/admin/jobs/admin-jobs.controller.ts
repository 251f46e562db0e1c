import { Controller, Delete, Get, Post, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminOnly, RequireReauthentication } from '../../../platform/http/access.decorator.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import {
  ApiTotal,
  ApiJson,
  ApiAdminPaginated,
  ApiCsv,
  ApiNoContent,
} from '../../../platform/http/api-response.decorator.js';
import { fieldColumns } from '../../../platform/http/lists/csv-file.js';
import { sendAdminPage, type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { ApiErrors } from '../../../platform/http/errors/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/parsing/id.pipe.js';
import { CurrentActor, type Actor } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { AdminJobDto, ClockJobDto, RetriedJobsDto } from '../dto/admin-lists.dto.js';
import { JobQueryDto } from '../dto/list-query.dto.js';
import { ListExportService } from '../list-export.service.js';
import { CronJobListService } from './cron-job-list.service.js';
import { JobListRepository } from './job-list.repository.js';
import { JobRepairService } from './job-repair.service.js';

@ApiTags('admin')
@Controller('api/admin')
export class AdminJobsController {
  constructor(
    private readonly jobs: JobListRepository,
    private readonly cronJobs: CronJobListService,
    private readonly jobRepair: JobRepairService,
    private readonly exports: ListExportService,
  ) {}

  @Get('jobs')
  @AdminOnly()
  @ApiAdminPaginated('List the waiting, running and failed jobs', AdminJobDto)
  list(@Query() query: JobQueryDto): Promise<AdminPage<AdminJobDto>> {
    return this.jobs.findPage(query);
  }

  @Get('jobs/export')
  @AdminOnly()
  @RequireReauthentication()
  @ApiCsv('Export the jobs as a CSV file, with the same filters', commonErrors.VALIDATION_FAILED)
  export(@Query() query: JobQueryDto, @CurrentActor() actor: Actor): Promise<StreamableFile> {
    return this.exports.exportList('jobs', actor, this.jobs.streamAll(query), {
      ...fieldColumns('id', 'queue', 'name', 'state', 'attempts', 'maxAttempts', 'runAt', 'lastError'),
      payload: ({ payload }) => JSON.stringify(payload),
      createdAt: ({ createdAt }) => createdAt,
    });
  }

  @Get('jobs/:id')
  @AdminOnly()
  @ApiJson('Get a waiting, running or failed job', AdminJobDto)
  @ApiErrors(adminErrors.JOB_NOT_FOUND)
  async detail(@IdParam() id: number): Promise<AdminJobDto> {
    const job = await this.jobs.findJob(id);
    if (!job) throw adminErrors.JOB_NOT_FOUND();
    return job;
  }

  @Get('clock-jobs')
  @AdminOnly()
  @ApiOperation({ summary: 'List the scheduled jobs with their last and next run' })
  @ApiOkResponse({ type: [ClockJobDto], headers: ApiTotal })
  async clockJobs(@Res({ passthrough: true }) response: Response): Promise<ClockJobDto[]> {
    const rows = await this.cronJobs.listCronJobs();
    return sendAdminPage(response, { rows, total: rows.length });
  }

  @Post('jobs/retry-dead')
  @AdminOnly()
  @ApiJson('Retry all failed jobs', RetriedJobsDto)
  async retryDead(@CurrentActor() actor: Actor): Promise<RetriedJobsDto> {
    return { retried: await this.jobRepair.retryFailedJobs(actor) };
  }

  @Post('jobs/:id/retry')
  @AdminOnly()
  @ApiNoContent('Retry a waiting or failed job now')
  @ApiErrors(adminErrors.JOB_NOT_FOUND, adminErrors.JOB_IS_RUNNING)
  retry(@IdParam() id: number, @CurrentActor() actor: Actor): Promise<void> {
    return this.jobRepair.retryJob(id, actor);
  }

  @Delete('jobs/:id')
  @AdminOnly()
  @ApiNoContent('Discard a failed job')
  @ApiErrors(adminErrors.JOB_NOT_FOUND, adminErrors.JOB_NOT_DEAD)
  discard(@IdParam() id: number, @CurrentActor() actor: Actor): Promise<void> {
    return this.jobRepair.discardJob(id, actor);
  }
}
