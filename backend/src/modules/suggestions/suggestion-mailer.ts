import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { OnJob } from '../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../platform/email/email.service.js';
import { UserRepository } from '../auth/users/user.repository.js';
import { suggestionStatusEmail } from './emails/suggestion-status.email.js';
import { SuggestionRepository } from './suggestion.repository.js';
import {
  notifySuggestionMerged,
  notifySuggestionStatus,
  type MergeNotification,
  type StatusNotification,
} from './suggestions.jobs.js';
import { suggestionMergedEmail } from './merging/suggestion-merged.email.js';

/** Recipients per job. A failed job is retried for all of them, with the same idempotency keys. */
const BATCH_SIZE = 20;

/** Emails about changes of suggestions. */
@Injectable()
export class SuggestionMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly suggestions: SuggestionRepository,
    private readonly users: UserRepository,
    private readonly config: AppConfig,
    private readonly email: EmailService,
    private readonly jobs: JobsService,
  ) {}

  /** Sends nothing if the status has changed again; the job of the newer change does. */
  @OnJob(notifySuggestionStatus)
  async notifyStatus({ suggestionId, status }: StatusNotification, { id }: JobContext): Promise<void> {
    const suggestion = await this.suggestions.findWithStatus(suggestionId, status);
    if (!suggestion?.submittedById) return;
    const user = await this.users.findActiveUser(suggestion.submittedById);
    if (!user?.notifySuggestions) return;
    const { title, adminNotes } = suggestion;
    await this.email.send(suggestionStatusEmail, {
      to: user.email,
      language: user.language,
      values: { url: `${this.config.appUrl}/feature-suggestions`, title, status, notes: adminNotes },
      idempotencyKey: `job-${id}`,
    });
  }

  /** Sends nothing if the merge has changed again; the job of the newer change does. */
  @OnJob(notifySuggestionMerged)
  async notifyMerged(payload: MergeNotification): Promise<void> {
    const { suggestionId, intoId, isUndone, actorId, after } = payload;
    const merge = await this.suggestions.findMerge(suggestionId, intoId);
    if (!merge || merge.isMerged === isUndone) return;
    const recipients = await this.suggestions.findRecipients(suggestionId, { actorId, after, limit: BATCH_SIZE });
    const title = isUndone ? merge.title : merge.intoTitle;
    for (const { id, email, language } of recipients) {
      await this.email.send(suggestionMergedEmail, {
        to: email,
        language,
        values: {
          url: `${this.config.appUrl}/feature-suggestions?q=${encodeURIComponent(title)}`,
          title: merge.title,
          into: merge.intoTitle,
          isUndone,
        },
        idempotencyKey: `suggestion-${suggestionId}-${intoId}-${isUndone ? 'apart' : 'merged'}-${id}`,
      });
    }
    if (recipients.length < BATCH_SIZE) return;
    await inTransaction(this.em.fork(), (em) =>
      this.jobs.enqueue(em, notifySuggestionMerged, { ...payload, after: recipients.at(-1)!.id }),
    );
  }
}
