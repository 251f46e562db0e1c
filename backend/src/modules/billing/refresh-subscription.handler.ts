import { JobHandler, type Handles } from '../../platform/jobs/job-handler.decorator.js';
import { refreshSubscription } from './refresh-subscription.job.js';
import { SubscriptionSync } from './subscription-sync.service.js';

@JobHandler(refreshSubscription)
export class RefreshSubscriptionHandler implements Handles<{ userId: number }> {
  constructor(private readonly sync: SubscriptionSync) {}

  async handle({ userId }: { userId: number }): Promise<void> {
    await this.sync.refresh(userId);
  }
}
