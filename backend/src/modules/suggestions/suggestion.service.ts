import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../platform/audit/audit.repository.js';
import { HOUR } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { RateLimitService, type RateRule } from '../../platform/http/limits/rate-limit.service.js';
import type { Viewer } from '../../platform/http/parsing/viewer.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import type { CreateSuggestionDto, SuggestionDto, UpdateSuggestionDto } from './dto/suggestion.dto.js';
import { SuggestionListService } from './suggestion-list.service.js';
import { resolveApprover, shouldNotifySubmitter } from './suggestion.policy.js';
import { SuggestionRepository } from './suggestion.repository.js';
import { suggestionErrors } from './suggestions.errors.js';
import { notifySuggestionStatus } from './suggestions.jobs.js';

const SUBMISSION_RATE: RateRule = { name: 'suggestions', limit: 10, window: HOUR };

/** An acting administrator and where the request comes from. */
export interface ActingAdmin {
  readonly viewer: Viewer;
  readonly ipAddress: string | null;
}

/** Creates, changes and deletes suggestions. */
@Injectable()
export class SuggestionService {
  constructor(
    private readonly em: EntityManager,
    private readonly suggestions: SuggestionRepository,
    private readonly limits: RateLimitService,
    private readonly list: SuggestionListService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /** @throws TOO_MANY_REQUESTS for the eleventh within an hour */
  async createSuggestion(viewer: Viewer, { title, description, category = 'feature' }: CreateSuggestionDto) {
    await this.limits.consume(SUBMISSION_RATE, viewer.userId);
    const suggestion = { title, description, category, submittedById: viewer.userId };
    return this.list.findOne(await this.suggestions.insertSuggestion(suggestion), viewer);
  }

  /**
   * Changes the given fields. The submitter is emailed about a new status unless they turned that off.
   * @throws SUGGESTION_NOT_FOUND, SUGGESTION_MERGED
   */
  async updateSuggestion(
    id: number,
    dto: UpdateSuggestionDto,
    { viewer, ipAddress }: ActingAdmin,
  ): Promise<SuggestionDto> {
    await inTransaction(this.em, async (em) => {
      const suggestion = await this.suggestions.lockSuggestion(em, id);
      if (!suggestion) throw suggestionErrors.SUGGESTION_NOT_FOUND();
      if (suggestion.mergedIntoId !== null) throw suggestionErrors.SUGGESTION_MERGED();
      const { title, description, status: before, submittedById, approvedById } = suggestion;
      const after = dto.status ?? before;
      await this.suggestions.updateSuggestion(em, id, {
        title,
        description,
        ...definedChanges(dto),
        approvedById: resolveApprover({ status: before, approvedById }, after, viewer.userId),
      });
      const params = { suggestionId: id, changed: Object.keys(definedChanges(dto)), ...statusChange(before, after) };
      await this.audit.record(em, { type: 'suggestion.updated', actorId: viewer.userId, ipAddress, params });
      if (shouldNotifySubmitter({ before, after, submittedById, actorId: viewer.userId })) {
        await this.jobs.enqueue(em, notifySuggestionStatus, { suggestionId: id, status: after });
      }
    });
    return this.list.findOne(id, viewer);
  }

  /**
   * Deletes a suggestion and its votes permanently. Suggestions merged into it become separate again.
   * @throws SUGGESTION_NOT_FOUND
   */
  deleteSuggestion(id: number, { viewer, ipAddress }: ActingAdmin): Promise<void> {
    return inTransaction(this.em, async (em) => {
      if (!(await this.suggestions.deleteSuggestion(em, id))) throw suggestionErrors.SUGGESTION_NOT_FOUND();
      const params = { suggestionId: id };
      await this.audit.record(em, { type: 'suggestion.deleted', actorId: viewer.userId, ipAddress, params });
    });
  }
}

/** Returns the given fields; empty notes and versions become null. */
function definedChanges(dto: UpdateSuggestionDto): Partial<UpdateSuggestionDto> {
  const defined = Object.entries(dto).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([field, value]) => [field, value === '' ? null : value]));
}

const statusChange = (from: string, to: string) => (from === to ? {} : { from, to });
