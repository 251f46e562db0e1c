import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage, streamNewestFirst } from '../../../platform/http/lists/admin-page.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ActivitySchema } from '../../activity/entities/activity.entity.js';
import type { ActivityType } from '../../activity/activity.events.js';
import { fullName, UserSchema } from '../../auth/entities/user.entity.js';
import type { AdminActivityDto } from '../dto/admin-lists.dto.js';
import type { LogQueryDto } from '../dto/list-query.dto.js';
import { matchingUserIds } from '../user-search.js';

type Tables = typeof ActivitySchema | typeof UserSchema;
type Filters = Pick<LogQueryDto, 'q' | 'type' | 'from' | 'to' | 'userId'>;

const sorting = { fields: { createdAt: 'a.id' }, id: 'a.id' };

/** The activity of all zones as text. */
@Injectable()
export class ActivityLogService {
  constructor(
    private readonly em: EntityManager,
    private readonly activity: ActivityService,
  ) {}

  /** Returns one page, newest first; `q` matches the acting user. */
  listPage(dto: LogQueryDto, language: Language): Promise<AdminPage<AdminActivityDto>> {
    const [matching, rows] = [this.filterActivity(dto), this.selectRows({})];
    return loadAdminPage(dto, sorting, { filtered: matching, rows, toRow: (row) => this.toDto(row, language) });
  }

  /** Streams all matching entries, newest first. */
  streamAll(filters: Filters, language: Language): AsyncGenerator<AdminActivityDto> {
    return streamNewestFirst(this.selectRows(filters), 'a.id', (row) => this.toDto(row, language));
  }

  /** Returns every activity type. */
  listTypes(): string[] {
    return [...this.activity.types];
  }

  private selectRows(filters: Filters) {
    return this.filterActivity(filters)
      .leftJoin('users as u', 'u.id', 'a.user_id')
      .select(['a.id as id', 'a.type as type', 'a.params as params', 'a.created_at as createdAt'])
      .select(['a.user_id as userId', 'u.email as userEmail'])
      .select(['u.first_name as firstName', 'u.last_name as lastName']);
  }

  private filterActivity({ q, type, from, to, userId }: Filters) {
    let rows = query<Tables>(this.em).selectFrom('activity as a');
    if (type) rows = rows.where('a.type', '=', type as ActivityType);
    if (from) rows = rows.where('a.created_at', '>=', from);
    if (to) rows = rows.where('a.created_at', '<', to);
    if (userId) rows = rows.where('a.user_id', '=', userId);
    if (q?.trim()) rows = rows.where('a.user_id', 'in', matchingUserIds(q));
    return rows;
  }

  private toDto(row: ActivityRow, language: Language): AdminActivityDto {
    const { id, type, params, userId, userEmail, firstName, lastName } = row;
    const name = fullName({ firstName, lastName });
    const message = this.activity.formatMessage(type, params, name || userEmail, language);
    const createdAt = new Date(row.createdAt);
    return { id: Number(id), type, message, createdAt, timestamp: createdAt, userId, userEmail };
  }
}

type ActivityRow = Awaited<ReturnType<ReturnType<ActivityLogService['selectRows']>['execute']>>[number];
