import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Clock, HOUR } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { RateLimitService, type RateRule } from '../../platform/http/limits/rate-limit.service.js';
import type { Viewer } from '../../platform/http/parsing/viewer.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { normaliseForSearch } from '../../platform/text/normalise-for-search.js';
import type { CreateSuggestionDto, SuggestionDto, UpdateSuggestionDto } from './dto/suggestion.dto.js';
import { FeatureSuggestion } from './entities/feature-suggestion.entity.js';
import { SuggestionListService } from './suggestion-list.service.js';
import { resolveApprover, shouldNotifySubmitter } from './suggestion.policy.js';
import { deleteSuggestion } from './suggestion-votes.js';
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
    private readonly clock: Clock,
    private readonly limits: RateLimitService,
    private readonly list: SuggestionListService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
  ) {}

  /** @throws TOO_MANY_REQUESTS for the eleventh within an hour */
  async createSuggestion(viewer: Viewer, { title, description, category = 'feature' }: CreateSuggestionDto) {
    await this.limits.consume(SUBMISSION_RATE, viewer.userId);
    const now = this.clock.now();
    const suggestion = this.em.create(FeatureSuggestion, {
      title,
      description,
      category,
      submittedById: viewer.userId,
      searchKey: toSearchKey(title, description),
      createdAt: now,
      updatedAt: now,
    });
    await this.em.flush();
    return this.list.findOne(suggestion.id, viewer);
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
      const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true };
      const suggestion = await em.findOne(FeatureSuggestion, { id }, lock);
      if (!suggestion) throw suggestionErrors.SUGGESTION_NOT_FOUND();
      if (suggestion.mergedIntoId != null) throw suggestionErrors.SUGGESTION_MERGED();
      const { status: before, submittedById = null, approvedById = null } = suggestion;
      const after = dto.status ?? before;
      em.assign(suggestion, {
        ...definedChanges(dto),
        approvedById: resolveApprover({ status: before, approvedById }, after, viewer.userId),
        updatedAt: this.clock.now(),
      });
      suggestion.searchKey = toSearchKey(suggestion.title, suggestion.description);
      await em.flush();
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
      if (!(await deleteSuggestion(em, id))) throw suggestionErrors.SUGGESTION_NOT_FOUND();
      const params = { suggestionId: id };
      await this.audit.record(em, { type: 'suggestion.deleted', actorId: viewer.userId, ipAddress, params });
    });
  }
}

const toSearchKey = (title: string, description: string) => normaliseForSearch(`${title} ${description}`);

/** Returns the given fields; empty notes and versions become null. */
function definedChanges(dto: UpdateSuggestionDto): Partial<UpdateSuggestionDto> {
  const defined = Object.entries(dto).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([field, value]) => [field, value === '' ? null : value]));
}

const statusChange = (from: string, to: string) => (from === to ? {} : { from, to });
