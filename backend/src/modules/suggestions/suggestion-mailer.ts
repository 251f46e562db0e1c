import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AppConfig } from '../../platform/config/app-config.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Language } from '../../platform/errors/app-error.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { OnJob } from '../../platform/jobs/on-job.decorator.js';
import { EmailService } from '../../platform/email/email.service.js';
import { User } from '../auth/entities/user.entity.js';
import { suggestionStatusEmail } from './emails/suggestion-status.email.js';
import { FeatureSuggestion } from './entities/feature-suggestion.entity.js';
import {
  notifySuggestionMerged,
  notifySuggestionStatus,
  type MergeNotification,
  type StatusNotification,
} from './suggestions.jobs.js';
import { suggestionMergedEmail } from './merging/suggestion-merged.email.js';

/** Recipients per job. A failed job is retried for all of them, with the same idempotency keys. */
const BATCH_SIZE = 20;

interface Recipient {
  readonly id: number;
  readonly email: string;
  readonly language: Language;
}

/** Emails about changes of suggestions. */
@Injectable()
export class SuggestionMailer {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly email: EmailService,
    private readonly jobs: JobsService,
  ) {}

  /** Sends nothing if the status has changed again; the job of the newer change does. */
  @OnJob(notifySuggestionStatus)
  async notifyStatus({ suggestionId, status }: StatusNotification, { id }: JobContext): Promise<void> {
    const suggestion = await this.em.findOne(FeatureSuggestion, { id: suggestionId, status });
    if (!suggestion?.submittedById) return;
    const user = await this.em.findOne(User, { id: suggestion.submittedById, deactivatedAt: null });
    if (!user?.notifySuggestions) return;
    const { title, adminNotes } = suggestion;
    await this.email.send(suggestionStatusEmail, {
      to: user.email,
      language: user.language,
      values: { url: `${this.config.appUrl}/feature-suggestions`, title, status, notes: adminNotes ?? null },
      idempotencyKey: `job-${id}`,
    });
  }

  /** Sends nothing if the merge has changed again; the job of the newer change does. */
  @OnJob(notifySuggestionMerged)
  async notifyMerged(payload: MergeNotification): Promise<void> {
    const [suggestion, into] = await Promise.all(
      [payload.suggestionId, payload.intoId].map((id) => this.em.fork().findOne(FeatureSuggestion, { id })),
    );
    if (!suggestion || !into || (suggestion.mergedIntoId === into.id) === payload.isUndone) return;
    const recipients = await this.findRecipients(payload);
    for (const { id, email, language } of recipients) {
      const title = payload.isUndone ? suggestion.title : into.title;
      await this.email.send(suggestionMergedEmail, {
        to: email,
        language,
        values: {
          url: `${this.config.appUrl}/feature-suggestions?q=${encodeURIComponent(title)}`,
          title: suggestion.title,
          into: into.title,
          isUndone: payload.isUndone,
        },
        idempotencyKey: `suggestion-${suggestion.id}-${into.id}-${payload.isUndone ? 'apart' : 'merged'}-${id}`,
      });
    }
    if (recipients.length < BATCH_SIZE) return;
    await inTransaction(this.em.fork(), (em) =>
      this.jobs.enqueue(em, notifySuggestionMerged, { ...payload, after: recipients.at(-1)!.id }),
    );
  }

  /** Returns the submitter and voters who want notifications. */
  private async findRecipients({ suggestionId, actorId, after }: MergeNotification): Promise<Recipient[]> {
    const { rows } = await sql<Recipient>`
      select u.id, u.email, u.language from users u
      where u.id in (
          select user_id from feature_votes where suggestion_id = ${suggestionId}
          union select submitted_by_id from feature_suggestions where id = ${suggestionId})
        and u.id > ${after} and u.id <> ${actorId} and u.notify_suggestions and u.deactivated_at is null
        and u.erased_at is null
      order by u.id limit ${BATCH_SIZE}`.execute(this.em.fork().getKysely());
    return rows.map((row) => ({ ...row, id: Number(row.id) }));
  }
}
