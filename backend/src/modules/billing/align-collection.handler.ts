import { JobHandler, type Handles } from '../../platform/jobs/job-handler.decorator.js';
import { alignCollection } from './align-collection.job.js';
import { CollectionService } from './collection.service.js';

@JobHandler(alignCollection)
export class AlignCollectionHandler implements Handles<{ userId: number }> {
  constructor(private readonly collection: CollectionService) {}

  handle({ userId }: { userId: number }): Promise<void> {
    return this.collection.align(userId);
  }
}
