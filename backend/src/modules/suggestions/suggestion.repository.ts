import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { Language } from '../../platform/errors/app-error.js';
import { containsPattern, type AdminPage } from '../../platform/http/lists/admin-list.js';
import { loadAdminPage, streamNewestFirst } from '../../platform/http/lists/admin-page.js';
import { cursorTuple, decodeCursor } from '../../platform/http/lists/cursor.js';
import { countRows } from '../../platform/http/lists/list.js';
import { normaliseForSearch } from '../../platform/text/normalise-for-search.js';
import type { UserSchema } from '../auth/entities/user.entity.js';
import type { AdminSuggestionQueryDto, SuggestionQueryDto } from './dto/suggestion.dto.js';
import type {
  FeatureSuggestion,
  FeatureSuggestionSchema,
  SuggestionCategory,
} from './entities/feature-suggestion.entity.js';
import type { FeatureVoteSchema } from './entities/feature-vote.entity.js';

type Tables = typeof FeatureSuggestionSchema | typeof FeatureVoteSchema | typeof UserSchema;

export type SuggestionFilter = Pick<SuggestionQueryDto, 'status' | 'category' | 'q'>;
export type SuggestionRow = Awaited<ReturnType<ReturnType<SuggestionRepository['withColumns']>['execute']>>[number];
export type AdminSuggestionRow = SuggestionRow & { readonly submitterEmail: string | null };

/** The fields that decide what may be done with a suggestion. */
export type LockedSuggestion = Pick<FeatureSuggestion, 'title' | 'description' | 'status'> & {
  readonly submittedById: number | null;
  readonly approvedById: number | null;
  readonly mergedIntoId: number | null;
};

/** Changed fields; the search key follows from title and description. */
type SuggestionChanges = Pick<FeatureSuggestion, 'title' | 'description'> &
  Partial<Pick<FeatureSuggestion, 'category' | 'status' | 'priority'>> & {
    readonly approvedById?: number | null;
    readonly adminNotes?: string | null;
    readonly estimatedHours?: number | null;
    readonly targetVersion?: string | null;
  };

export interface SuggestionRecipient {
  readonly id: number;
  readonly email: string;
  readonly language: Language;
}

/** From 0 to 1: how much of a title must occur in a suggestion for it to count as similar. */
const MIN_SIMILARITY = 0.5;

const sorting = {
  fields: {
    createdAt: 's.id',
    voteCount: 's.vote_count',
    title: 's.title',
    status: 's.status',
    priority: 's.priority',
  },
  id: 's.id',
};

/** A merged suggestion is shown only to administrators and its submitter; others see the one it was merged into. */
const isNotMerged = sql<boolean>`s.merged_into_id is null`;
const isNotMergedOrOwn = (viewerId: number) => sql<boolean>`(${isNotMerged} or s.submitted_by_id = ${viewerId})`;

/** Selects a suggestion and those merged into it, whose votes count for it. */
const mergeGroupSql = (id: number) =>
  sql<number>`(select id from feature_suggestions where id = ${id} or merged_into_id = ${id})`;

/**
 * Suggestions and their votes. The lock of the suggestion serialises its votes, changes, merges and deletion. The vote
 * count of a suggestion changes only together with the rows of `feature_votes`.
 */
@Injectable()
export class SuggestionRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @returns the new suggestion's id */
  async insertSuggestion(suggestion: {
    readonly title: string;
    readonly description: string;
    readonly category: SuggestionCategory;
    readonly submittedById: number;
  }): Promise<number> {
    const { title, description, category, submittedById } = suggestion;
    const now = this.clock.now();
    const { id } = await query<Tables>(this.em)
      .insertInto('feature_suggestions')
      .values({
        title,
        description,
        category,
        submitted_by_id: submittedById,
        search_key: toSearchKey(title, description),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(id);
  }

  /** Returns the suggestion locked until the commit, or null. */
  async lockSuggestion(em: EntityManager, id: number): Promise<LockedSuggestion | null> {
    return (await this.lockSuggestions(em, [id])).get(id) ?? null;
  }

  /** Locks suggestions by ascending id. Missing ones are not in the result. */
  async lockSuggestions(em: EntityManager, ids: readonly number[]): Promise<Map<number, LockedSuggestion>> {
    const rows = await query<Tables>(em)
      .selectFrom('feature_suggestions')
      .select(['id', 'title', 'description', 'status'])
      .select(['submitted_by_id as submittedById', 'approved_by_id as approvedById', 'merged_into_id as mergedIntoId'])
      .where('id', 'in', [...ids])
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    return new Map(rows.map(({ id, ...suggestion }) => [id, suggestion]));
  }

  async updateSuggestion(em: EntityManager, id: number, changes: SuggestionChanges): Promise<void> {
    const { approvedById, adminNotes, estimatedHours, targetVersion, ...sameNames } = changes;
    await query<Tables>(em)
      .updateTable('feature_suggestions')
      .set({
        ...sameNames,
        approved_by_id: approvedById,
        admin_notes: adminNotes,
        estimated_hours: estimatedHours,
        target_version: targetVersion,
        search_key: toSearchKey(changes.title, changes.description),
        updated_at: this.clock.now(),
      })
      .where('id', '=', id)
      .execute();
  }

  /**
   * Deletes a suggestion with its own votes. Suggestions merged into it become separate again, with their votes.
   * @returns false if it does not exist
   */
  async deleteSuggestion(em: EntityManager, id: number): Promise<boolean> {
    const db = query<Tables>(em);
    const { rows } = await sql<{ id: number }>`
      select id from feature_suggestions
      where id in ${mergeGroupSql(id)} or id = (select merged_into_id from feature_suggestions where id = ${id})
      order by id for update`.execute(db);
    const ids = rows.map((row) => Number(row.id));
    if (!ids.includes(id)) return false;
    await db.deleteFrom('feature_suggestions').where('id', '=', id).execute();
    await this.recountVotes(em, ids);
    return true;
  }

  /** Merges a locked suggestion into another locked one, or undoes that with null. Vote counts must be recounted. */
  async setMergedInto(em: EntityManager, id: number, intoId: number | null): Promise<void> {
    await query<Tables>(em)
      .updateTable('feature_suggestions')
      .set({ merged_into_id: intoId })
      .where('id', '=', id)
      .execute();
  }

  /** Returns whether any suggestion is merged into this one. */
  async hasMerged(em: EntityManager, id: number): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('feature_suggestions')
      .select('id')
      .where('merged_into_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Votes for a locked suggestion, unless the user has voted for it or for one merged into it. */
  async insertVote(em: EntityManager, suggestionId: number, userId: number): Promise<void> {
    const { numAffectedRows } = await sql`
      insert into feature_votes (suggestion_id, user_id, created_at)
      select ${suggestionId}::bigint, ${userId}::bigint, ${this.clock.now()}::timestamptz
      where not exists (
        select from feature_votes where user_id = ${userId} and suggestion_id in ${mergeGroupSql(suggestionId)})
      on conflict do nothing`.execute(query<Tables>(em));
    if (numAffectedRows) await this.adjustVoteCount(em, suggestionId, 1);
  }

  /** Deletes the user's vote for a locked suggestion or for one merged into it. */
  async deleteVote(em: EntityManager, suggestionId: number, userId: number): Promise<void> {
    const deleted = await query<Tables>(em)
      .deleteFrom('feature_votes')
      .where('user_id', '=', userId)
      .where('suggestion_id', 'in', mergeGroupSql(suggestionId))
      .executeTakeFirst();
    if (deleted.numDeletedRows > 0n) await this.adjustVoteCount(em, suggestionId, -1);
  }

  /** Deletes all votes of a user. */
  async deleteVotesOf(em: EntityManager, userId: number): Promise<void> {
    // Ordered by suggestion, to prevent deadlocks between concurrent deletions.
    const { rows } = await sql<{ id: number }>`
      select s.id from feature_suggestions s
      where s.id in (
        select unnest(array[v.suggestion_id, g.merged_into_id]) from feature_votes v
        join feature_suggestions g on g.id = v.suggestion_id where v.user_id = ${userId})
      order by s.id for no key update`.execute(query<Tables>(em));
    await query<Tables>(em).deleteFrom('feature_votes').where('user_id', '=', userId).execute();
    await this.recountVotes(
      em,
      rows.map(({ id }) => Number(id)),
    );
  }

  /**
   * Recounts the votes of locked suggestions. Each user counts once, whether they voted for the suggestion or for one
   * merged into it.
   */
  async recountVotes(em: EntityManager, ids: readonly number[]): Promise<void> {
    await sql`
      update feature_suggestions s set vote_count = (
        select count(distinct v.user_id) from feature_votes v
        where v.suggestion_id in (select g.id from feature_suggestions g where g.id = s.id or g.merged_into_id = s.id))
      where s.id = any(${[...ids]}::bigint[])`.execute(query<Tables>(em));
  }

  /** Returns a suggestion as the viewer sees it. */
  async findSuggestion(id: number, viewerId: number): Promise<SuggestionRow | null> {
    const row = await this.withColumns(this.matchingQuery({}), viewerId).where('s.id', '=', id).executeTakeFirst();
    return row ?? null;
  }

  /** Returns up to `limit` suggestions of the board from the cursor on, and the number of all. */
  async findBoard(
    viewerId: number,
    { cursor, sort = 'votes', ...filter }: SuggestionQueryDto,
    limit: number,
  ): Promise<{ rows: SuggestionRow[]; total: number }> {
    const boardQuery = () => this.matchingQuery(filter).where(isNotMergedOrOwn(viewerId));
    let rows = this.withColumns(boardQuery(), viewerId).limit(limit);
    if (sort === 'votes') rows = rows.orderBy('s.vote_count', 'desc');
    rows = rows.orderBy('s.id', 'desc');
    if (cursor) rows = rows.where(afterCursor(cursor, sort));
    const total = await countRows(boardQuery());
    return { rows: await rows.execute(), total };
  }

  /** Returns up to `limit` suggestions that are similar to a title, the most similar first. */
  findSimilar(viewerId: number, title: string, limit: number): Promise<SuggestionRow[]> {
    const similarity = sql<number>`word_similarity(${normaliseForSearch(title)}, s.search_key)`;
    return this.withColumns(this.matchingQuery({}).where(isNotMerged), viewerId)
      .where(sql<boolean>`${similarity} >= ${MIN_SIMILARITY}`)
      .orderBy(similarity, 'desc')
      .orderBy('s.vote_count', 'desc')
      .orderBy('s.id', 'desc')
      .limit(limit)
      .execute();
  }

  /** Returns a page of the administrators' list. */
  findAdminPage(viewerId: number, params: AdminSuggestionQueryDto): Promise<AdminPage<AdminSuggestionRow>> {
    return loadAdminPage(params, sorting, {
      filtered: this.matchingQuery(params),
      rows: this.withEmails({}, viewerId),
      toRow: (row) => row,
    });
  }

  /** Streams all matching suggestions, newest first. */
  streamAll(viewerId: number, filter: SuggestionFilter): AsyncGenerator<AdminSuggestionRow> {
    return streamNewestFirst(this.withEmails(filter, viewerId), 's.id', (row) => row);
  }

  /** Returns the suggestion if it still has this status. */
  async findWithStatus(id: number, status: FeatureSuggestion['status']) {
    const row = await query<Tables>(this.em)
      .selectFrom('feature_suggestions')
      .select(['title', 'admin_notes as adminNotes', 'submitted_by_id as submittedById'])
      .where('id', '=', id)
      .where('status', '=', status)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns the titles of two suggestions and whether the first is merged into the second; null if one is missing. */
  async findMerge(id: number, intoId: number) {
    const row = await query<Tables>(this.em)
      .selectFrom('feature_suggestions as s')
      .innerJoin('feature_suggestions as target', (join) => join.on('target.id', '=', intoId))
      .select(['s.title as title', 'target.title as intoTitle'])
      .select(sql<boolean>`s.merged_into_id is not distinct from target.id`.as('isMerged'))
      .where('s.id', '=', id)
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Returns the submitter and the voters of a suggestion who want notifications, by ascending id.
   * @param after id of the last user of the previous batch
   */
  async findRecipients(
    suggestionId: number,
    { actorId, after, limit }: { actorId: number; after: number; limit: number },
  ): Promise<SuggestionRecipient[]> {
    const { rows } = await sql<SuggestionRecipient>`
      select u.id, u.email, u.language from users u
      where u.id in (
          select user_id from feature_votes where suggestion_id = ${suggestionId}
          union select submitted_by_id from feature_suggestions where id = ${suggestionId})
        and u.id > ${after} and u.id <> ${actorId} and u.notify_suggestions and u.deactivated_at is null
        and u.erased_at is null
      order by u.id limit ${limit}`.execute(query<Tables>(this.em));
    return rows.map((row) => ({ ...row, id: Number(row.id) }));
  }

  private async adjustVoteCount(em: EntityManager, id: number, by: 1 | -1): Promise<void> {
    await query<Tables>(em)
      .updateTable('feature_suggestions')
      .set({ vote_count: sql<number>`vote_count + ${by}` })
      .where('id', '=', id)
      .execute();
  }

  private matchingQuery({ status, category, q }: SuggestionFilter) {
    let rows = query<Tables>(this.em).selectFrom('feature_suggestions as s');
    if (status) rows = rows.where('s.status', '=', status);
    if (category) rows = rows.where('s.category', '=', category);
    for (const word of normaliseForSearch(q ?? '')
      .split(/\s+/)
      .filter(Boolean)) {
      rows = rows.where('s.search_key', 'like', containsPattern(word));
    }
    return rows;
  }

  private withColumns(rows: ReturnType<SuggestionRepository['matchingQuery']>, viewerId: number) {
    return rows
      .leftJoin('users as u', 'u.id', 's.submitted_by_id')
      .leftJoin('feature_suggestions as into', 'into.id', 's.merged_into_id')
      .select(['s.id as id', 's.title as title', 's.description as description', 's.category as category'])
      .select(['s.status as status', 's.priority as priority', 's.vote_count as voteCount'])
      .select(['s.admin_notes as adminNotes', 's.estimated_hours as estimatedHours'])
      .select(['s.target_version as targetVersion', 's.created_at as createdAt', 's.updated_at as updatedAt'])
      .select(['s.submitted_by_id as submittedById', 'u.username as username'])
      .select(['u.first_name as firstName', 'u.last_name as lastName'])
      .select(['into.id as intoId', 'into.title as intoTitle', 'into.vote_count as intoVotes'])
      .select(
        sql<number>`(select count(*)::int from feature_suggestions m where m.merged_into_id = s.id)`.as('mergedCount'),
      )
      .select(
        sql<boolean>`exists (
          select from feature_votes v join feature_suggestions g on g.id = v.suggestion_id
          where v.user_id = ${viewerId} and (g.id = s.id or g.merged_into_id = s.id))`.as('userVoted'),
      );
  }

  private withEmails(filter: SuggestionFilter, viewerId: number) {
    return this.withColumns(this.matchingQuery(filter), viewerId).select('u.email as submitterEmail');
  }
}

const toSearchKey = (title: string, description: string) => normaliseForSearch(`${title} ${description}`);

function afterCursor(cursor: string, sort: 'votes' | 'newest') {
  if (sort === 'newest') {
    const [id] = decodeCursor(cursor, ['bigint']);
    return sql<boolean>`s.id < ${id}::bigint`;
  }
  return sql<boolean>`(s.vote_count, s.id) < ${cursorTuple(cursor, ['int', 'bigint'])}`;
}
