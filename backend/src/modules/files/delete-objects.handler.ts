import { Injectable } from '@nestjs/common';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { Storage } from '../../platform/storage/storage.js';
import { deleteObjects } from './delete-objects.job.js';

@Injectable()
@JobHandler(deleteObjects)
export class DeleteObjectsHandler {
  constructor(private readonly storage: Storage) {}

  async handle({ objectKeys }: { objectKeys: string[] }): Promise<void> {
    for (const key of objectKeys) await this.storage.delete(key);
  }
}
