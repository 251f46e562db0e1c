import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import type { FeatureSuggestionSchema } from './entities/feature-suggestion.entity.js';
import type { FeatureVoteSchema } from './entities/feature-vote.entity.js';

type Tables = typeof FeatureSuggestionSchema | typeof FeatureVoteSchema;

/** Selects a suggestion and those merged into it, whose votes count for it. */
export const mergeGroupSql = (id: number) =>
  sql<number>`(select id from feature_suggestions where id = ${id} or merged_into_id = ${id})`;

/**
 * Recounts the votes of suggestions, which the caller must have locked. Each user counts once, whether they voted for
 * the suggestion or for one merged into it.
 */
export async function recountVotes(em: EntityManager, ids: readonly number[]): Promise<void> {
  await sql`
    update feature_suggestions s set vote_count = (
      select count(distinct v.user_id) from feature_votes v
      where v.suggestion_id in (select g.id from feature_suggestions g where g.id = s.id or g.merged_into_id = s.id))
    where s.id = any(${[...ids]}::bigint[])`.execute(query<Tables>(em));
}

/**
 * Deletes a suggestion with its own votes. Suggestions merged into it become separate again, with their votes.
 * @returns false if it does not exist
 */
export async function deleteSuggestion(em: EntityManager, id: number): Promise<boolean> {
  const db = query<Tables>(em);
  const { rows } = await sql<{ id: number; mergedIntoId: number | null }>`
    select id, merged_into_id as "mergedIntoId" from feature_suggestions
    where id in ${mergeGroupSql(id)} or id = (select merged_into_id from feature_suggestions where id = ${id})
    order by id for update`.execute(db);
  const own = rows.find((row) => Number(row.id) === id);
  if (!own) return false;
  await db.deleteFrom('feature_suggestions').where('id', '=', id).execute();
  await recountVotes(
    em,
    rows.map((row) => Number(row.id)),
  );
  return true;
}
