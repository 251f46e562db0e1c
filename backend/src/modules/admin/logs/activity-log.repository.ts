import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage, streamNewestFirst } from '../../../platform/http/lists/admin-page.js';
import type { ActivityType } from '../../activity/activity.events.js';
import type { ActivitySchema } from '../../activity/entities/activity.entity.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { LogQueryDto } from '../dto/list-query.dto.js';
import { matchingUserIds } from '../user-search.sql.js';

type Tables = typeof ActivitySchema | typeof UserSchema;

export type ActivityFilters = Pick<LogQueryDto, 'q' | 'type' | 'from' | 'to' | 'userId'>;
type SelectedRow = Awaited<ReturnType<ReturnType<ActivityLogRepository['selectRows']>['execute']>>[number];
export type ActivityRow = ReturnType<typeof toRow>;

const sorting = { fields: { createdAt: 'a.id' }, id: 'a.id' };

/** Read access to the activity of all zones. */
@Injectable()
export class ActivityLogRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns one page, newest first; `q` matches the acting user. */
  findPage(dto: LogQueryDto): Promise<AdminPage<ActivityRow>> {
    const [matching, rows] = [this.filterActivity(dto), this.selectRows({})];
    return loadAdminPage(dto, sorting, { filtered: matching, rows, toRow });
  }

  /** Streams all matching entries, newest first. */
  streamAll(filters: ActivityFilters): AsyncGenerator<ActivityRow> {
    return streamNewestFirst(this.selectRows(filters), 'a.id', toRow);
  }

  private selectRows(filters: ActivityFilters) {
    return this.filterActivity(filters)
      .leftJoin('users as u', 'u.id', 'a.user_id')
      .select(['a.id as id', 'a.type as type', 'a.params as params', 'a.created_at as createdAt'])
      .select(['a.user_id as userId', 'u.email as userEmail'])
      .select(['u.first_name as firstName', 'u.last_name as lastName']);
  }

  private filterActivity({ q, type, from, to, userId }: ActivityFilters) {
    let rows = query<Tables>(this.em).selectFrom('activity as a');
    if (type) rows = rows.where('a.type', '=', type as ActivityType);
    if (from) rows = rows.where('a.created_at', '>=', from);
    if (to) rows = rows.where('a.created_at', '<', to);
    if (userId) rows = rows.where('a.user_id', '=', userId);
    if (q?.trim()) rows = rows.where('a.user_id', 'in', matchingUserIds(q));
    return rows;
  }
}

const toRow = (row: SelectedRow) => ({ ...row, id: Number(row.id), createdAt: new Date(row.createdAt) });
