import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { makeThumbnails } from './make-thumbnails.job.js';
import { ThumbnailService } from './thumbnail.service.js';

@Injectable()
@JobHandler(makeThumbnails)
export class MakeThumbnailsHandler {
  constructor(private readonly thumbnails: ThumbnailService) {}

  async handle({ fileIds }: { fileIds: number[] }, { signal }: JobContext): Promise<void> {
    for (const id of fileIds) {
      signal.throwIfAborted();
      await this.thumbnails.make(id);
    }
  }
}
