import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { User } from '../auth/entities/user.entity.js';
import { suggestionStatusMail } from './emails/suggestion-status.email.js';
import { FeatureSuggestion } from './entities/feature-suggestion.entity.js';
import { tellSuggestionStatus, type SuggestionNews } from './tell-suggestion-status.job.js';

@Injectable()
@JobHandler(tellSuggestionStatus)
export class TellSuggestionStatusHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly mail: MailService,
  ) {}

  /** A status that has changed again meanwhile is not told: the job of the newer one tells that. */
  async handle({ suggestionId, status }: SuggestionNews, { id }: JobContext): Promise<void> {
    const suggestion = await this.em.findOne(FeatureSuggestion, { id: suggestionId, status });
    if (!suggestion?.submittedById) return;
    const user = await this.em.findOne(User, { id: suggestion.submittedById, deactivatedAt: null });
    if (!user?.notifySuggestions) return;
    const { title, adminNotes } = suggestion;
    await this.mail.send(suggestionStatusMail, {
      to: user.email,
      language: user.language,
      values: { url: `${this.config.appUrl}/feature-suggestions`, title, status, notes: adminNotes ?? null },
      idempotencyKey: `job-${id}`,
    });
  }
}
