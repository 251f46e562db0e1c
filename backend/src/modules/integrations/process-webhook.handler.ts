import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { processWebhook } from './process-webhook.job.js';
import { WebhookProcessingService } from './webhook-processing.service.js';

@Injectable()
@JobHandler(processWebhook)
export class ProcessWebhookHandler {
  constructor(private readonly webhooks: WebhookProcessingService) {}

  async handle({ webhookId }: { webhookId: number }, { isLastAttempt }: JobContext): Promise<void> {
    try {
      await this.webhooks.process(webhookId);
    } catch (error) {
      if (isLastAttempt) await this.webhooks.fail(webhookId);
      throw error;
    }
  }
}
