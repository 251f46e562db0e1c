import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit.service.js';
import { Clock, HOUR } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { RateLimits, type RateRule } from '../../platform/http/limits/rate-limits.service.js';
import type { Viewer } from '../../platform/http/reading/viewer.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { foldForSearch } from '../../platform/text/fold.js';
import type { CreateSuggestionDto, SuggestionDto, UpdateSuggestionDto } from './dto/suggestion.dto.js';
import { FeatureSuggestion } from './entities/feature-suggestion.entity.js';
import { SuggestionListService } from './suggestion-list.service.js';
import { approverAfter, tellsSubmitter } from './suggestion.policy.js';
import { removeSuggestion } from './suggestion-votes.js';
import { suggestionErrors } from './suggestions.errors.js';
import { tellSuggestionStatus } from './suggestions.jobs.js';

const BY_PERSON: RateRule = { name: 'suggestions', limit: 10, window: HOUR };

/** An administrator at work, and from where. */
export interface Operator {
  readonly viewer: Viewer;
  readonly ipAddress: string | null;
}

/** Making, changing and deleting suggestions. */
@Injectable()
export class SuggestionService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly list: SuggestionListService,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /** @throws TOO_MANY_REQUESTS for the eleventh within an hour */
  async create(viewer: Viewer, { title, description, category = 'feature' }: CreateSuggestionDto) {
    await this.limits.spend(BY_PERSON, viewer.userId);
    const now = this.clock.now();
    const suggestion = this.em.create(FeatureSuggestion, {
      ...{ title, description, category, submittedById: viewer.userId },
      searchKey: searchKey(title, description),
      createdAt: now,
      updatedAt: now,
    });
    await this.em.flush();
    return this.list.one(suggestion.id, viewer);
  }

  /**
   * Changes what is given. Of a new status the submitter is told by mail, unless they do not wish so.
   * @throws SUGGESTION_NOT_FOUND, SUGGESTION_MERGED
   */
  async update(id: number, dto: UpdateSuggestionDto, { viewer, ipAddress }: Operator): Promise<SuggestionDto> {
    await inTransaction(this.em, async (em) => {
      const lock = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true };
      const suggestion = await em.findOne(FeatureSuggestion, { id }, lock);
      if (!suggestion) throw suggestionErrors.SUGGESTION_NOT_FOUND();
      if (suggestion.mergedIntoId != null) throw suggestionErrors.SUGGESTION_MERGED();
      const { status: before, submittedById = null, approvedById = null } = suggestion;
      const after = dto.status ?? before;
      em.assign(suggestion, {
        ...changesOf(dto),
        approvedById: approverAfter({ status: before, approvedById }, after, viewer.userId),
        updatedAt: this.clock.now(),
      });
      suggestion.searchKey = searchKey(suggestion.title, suggestion.description);
      await em.flush();
      const params = { suggestionId: id, changed: Object.keys(changesOf(dto)), ...statusChange(before, after) };
      await this.audit.record(em, { type: 'suggestion.updated', actorId: viewer.userId, ipAddress, params });
      if (tellsSubmitter({ before, after, submittedById, actorId: viewer.userId })) {
        await this.jobs.enqueue(em, tellSuggestionStatus, { suggestionId: id, status: after });
      }
    });
    return this.list.one(id, viewer);
  }

  /**
   * Deletes a suggestion and its votes for good; what was merged into it stands by itself again.
   * @throws SUGGESTION_NOT_FOUND
   */
  delete(id: number, { viewer, ipAddress }: Operator): Promise<void> {
    return inTransaction(this.em, async (em) => {
      if (!(await removeSuggestion(em, id))) throw suggestionErrors.SUGGESTION_NOT_FOUND();
      const params = { suggestionId: id };
      await this.audit.record(em, { type: 'suggestion.deleted', actorId: viewer.userId, ipAddress, params });
    });
  }
}

const searchKey = (title: string, description: string) => foldForSearch(`${title} ${description}`);

/** The fields that were given; empty notes and versions are none. */
function changesOf(dto: UpdateSuggestionDto): Partial<UpdateSuggestionDto> {
  const given = Object.entries(dto).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([field, value]) => [field, value === '' ? null : value]));
}

const statusChange = (from: string, to: string) => (from === to ? {} : { from, to });
