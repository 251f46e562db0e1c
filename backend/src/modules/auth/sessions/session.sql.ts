import { sql, type RawBuilder } from 'kysely';
import { earliestTimesOfOpenSession } from './session.policy.js';

/** Returns a subquery of all open sessions with the columns `id` and `user_id`. */
export function openSessionsSql(now: Date): RawBuilder<unknown> {
  const [earliestCreatedAt, earliestUsedAt] = earliestTimesOfOpenSession(now);
  return sql`
      select s.id, s.user_id from sessions s join users u on u.id = s.user_id
      where s.expire > ${now} and s.created_at > ${earliestCreatedAt} and u.deactivated_at is null
        and (s.last_seen_at > ${earliestUsedAt} or not (u.is_super_admin or u.role = 'admin'))`;
}
