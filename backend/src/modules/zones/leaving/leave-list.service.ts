import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { cursorTuple } from '../../../platform/http/lists/cursor.js';
import { countRows, LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import type { LeaveDto } from '../dto/leaving.dto.js';
import { ZoneLeaveSchema } from '../entities/zone-leave.entity.js';

type Tables = typeof ZoneLeaveSchema | typeof UserSchema;

/** Lists the people who left a zone, for its owner. */
@Injectable()
export class LeaveListService {
  constructor(private readonly em: EntityManager) {}

  /** Newest first; undone leaves are excluded. */
  async list(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<LeaveDto>> {
    let leaves = this.leavesQuery(zoneId)
      .leftJoin('users as u', (join) => join.onRef('u.id', '=', 'l.user_id').on('u.erased_at', 'is', null))
      .select(['l.id as id', 'l.via as via', 'l.reason as reason', 'l.joined_at as joinedAt', 'l.left_at as leftAt'])
      .select(['u.id as userId', 'u.email as email', 'u.first_name as firstName', 'u.last_name as lastName'])
      .select(['u.username as username', 'u.profile_image_url as profileImageUrl'])
      .orderBy('l.left_at', 'desc')
      .orderBy('l.id', 'desc')
      .limit(limit + 1);
    if (cursor) leaves = leaves.where(beforeCursor(cursor));
    const total = await countRows(this.leavesQuery(zoneId));
    const rows = (await leaves.execute()).map(({ id, via, reason, joinedAt, leftAt, userId, email, ...names }) => {
      const leave = { id, via, joinedAt, leftAt };
      if (userId === null || email === null) return { ...leave, reason: null, user: null };
      return { ...leave, reason, user: { id: userId, email, ...names } };
    });
    return toPage(rows, limit, total, ({ leftAt, id }) => [leftAt.toISOString(), id]);
  }

  private leavesQuery(zoneId: number) {
    return query<Tables>(this.em)
      .selectFrom('zone_leaves as l')
      .where('l.zone_id', '=', zoneId)
      .where('l.undone_at', 'is', null);
  }
}

/** @throws VALIDATION_FAILED for an invalid cursor */
function beforeCursor(cursor: string) {
  return sql<boolean>`(l.left_at, l.id) < ${cursorTuple(cursor, ['timestamptz', 'bigint'])}`;
}
