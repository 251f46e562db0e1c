import { Controller, Delete, Get, HttpCode, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AdminOnly, CurrentViewer } from '../../../platform/http/access.decorator.js';
import { ApiAdminList, sendAdminPage } from '../../../platform/http/admin-list.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { IdParam } from '../../../platform/http/id.pipe.js';
import type { AppRequest, Viewer } from '../../../platform/http/viewer.js';
import { actorOf } from '../actor.js';
import { adminErrors } from '../admin.errors.js';
import { AdminJobDto, ClockJobDto, RetriedJobsDto } from '../dto/admin-lists.dto.js';
import { JobQueryDto } from '../dto/list-query.dto.js';
import { ApiCsv, ApiTotal, ExportService } from '../export.service.js';
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
  @ApiAdminList()
  @ApiOperation({ summary: 'Jobs that wait, run or have given up' })
  @ApiOkResponse({ type: [AdminJobDto], headers: ApiTotal })
  async list(@Query() query: JobQueryDto, @Res({ passthrough: true }) response: Response): Promise<AdminJobDto[]> {
    return sendAdminPage(response, await this.jobs.page(query));
  }

  @Get('jobs/export')
  @AdminOnly()
  @ApiOperation({ summary: 'Jobs as a CSV file, by the same filters' })
  @ApiCsv()
  export(
    @Query() query: JobQueryDto,
    @CurrentViewer() viewer: Viewer,
    @Req() request: AppRequest,
  ): Promise<StreamableFile> {
    return this.exports.start('jobs', actorOf(viewer, request), this.jobs.all(query), {
      id: ({ id }) => id,
      queue: ({ queue }) => queue,
      name: ({ name }) => name,
      state: ({ state }) => state,
      attempts: ({ attempts }) => attempts,
      maxAttempts: ({ maxAttempts }) => maxAttempts,
      runAt: ({ runAt }) => runAt,
      lastError: ({ lastError }) => lastError,
      payload: ({ payload }) => JSON.stringify(payload),
      createdAt: ({ createdAt }) => createdAt,
    });
  }

  @Get('clock-jobs')
  @AdminOnly()
  @ApiOperation({ summary: 'Jobs of the clock: when they ran last and run next' })
  @ApiOkResponse({ type: [ClockJobDto], headers: ApiTotal })
  async clockJobs(@Res({ passthrough: true }) response: Response): Promise<ClockJobDto[]> {
    const rows = await this.jobs.clockJobs();
    return sendAdminPage(response, { rows, total: rows.length });
  }

  @Post('jobs/retry-dead')
  @AdminOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Try all jobs again that have given up' })
  @ApiOkResponse({ type: RetriedJobsDto })
  async retryDead(@CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<RetriedJobsDto> {
    return { retried: await this.repair.retryDead(actorOf(viewer, request)) };
  }

  @Post('jobs/:id/retry')
  @AdminOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'Try a job again now that waits or has given up' })
  @ApiNoContentResponse()
  @ApiErrors(adminErrors.JOB_NOT_FOUND, adminErrors.JOB_IS_RUNNING)
  retry(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.repair.retry(id, actorOf(viewer, request));
  }

  @Delete('jobs/:id')
  @AdminOnly()
  @HttpCode(204)
  @ApiOperation({ summary: 'Discard a job that has given up' })
  @ApiNoContentResponse()
  @ApiErrors(adminErrors.JOB_NOT_FOUND, adminErrors.JOB_NOT_DEAD)
  discard(@IdParam() id: number, @CurrentViewer() viewer: Viewer, @Req() request: AppRequest): Promise<void> {
    return this.repair.discard(id, actorOf(viewer, request));
  }
}
