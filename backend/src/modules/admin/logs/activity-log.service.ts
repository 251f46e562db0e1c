import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../../platform/database/query.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { adminPage, newestFirst } from '../../../platform/http/lists/admin-page.js';
import { ActivityService } from '../../activity/activity.service.js';
import { ActivitySchema } from '../../activity/entities/activity.entity.js';
import type { ActivityType } from '../../activity/activity.events.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { personName } from '../../zones/entities/zone-member.entity.js';
import type { AdminActivityDto } from '../dto/admin-lists.dto.js';
import type { LogQueryDto } from '../dto/list-query.dto.js';
import { peopleLike } from '../people-search.js';

type Tables = typeof ActivitySchema | typeof UserSchema;
type Filters = Pick<LogQueryDto, 'q' | 'type' | 'from' | 'to' | 'userId'>;

const sorting = { fields: { createdAt: 'a.id' }, id: 'a.id' };

/** What happens in all zones, in words. */
@Injectable()
export class ActivityLogService {
  constructor(
    private readonly em: EntityManager,
    private readonly activity: ActivityService,
  ) {}

  /** One page, the newest first; `q` finds who did it. */
  page(asked: LogQueryDto, language: Language): Promise<AdminPage<AdminActivityDto>> {
    const [matching, rows] = [this.matching(asked), this.rows({})];
    return adminPage(asked, sorting, { matching, rows, shown: (row) => this.shown(row, language) });
  }

  /** All of them, the newest first, read in batches. */
  all(asked: Filters, language: Language): AsyncGenerator<AdminActivityDto> {
    return newestFirst(this.rows(asked), 'a.id', (row) => this.shown(row, language));
  }

  /** Every kind of record that there may be. */
  types(): string[] {
    return [...this.activity.types];
  }

  private rows(filters: Filters) {
    return this.matching(filters)
      .leftJoin('users as u', 'u.id', 'a.user_id')
      .select(['a.id as id', 'a.type as type', 'a.params as params', 'a.created_at as createdAt'])
      .select(['a.user_id as userId', 'u.email as userEmail'])
      .select(['u.first_name as firstName', 'u.last_name as lastName']);
  }

  private matching({ q, type, from, to, userId }: Filters) {
    let rows = query<Tables>(this.em).selectFrom('activity as a');
    if (type) rows = rows.where('a.type', '=', type as ActivityType);
    if (from) rows = rows.where('a.created_at', '>=', from);
    if (to) rows = rows.where('a.created_at', '<', to);
    if (userId) rows = rows.where('a.user_id', '=', userId);
    if (q?.trim()) rows = rows.where('a.user_id', 'in', peopleLike(q));
    return rows;
  }

  private shown(row: Read, language: Language): AdminActivityDto {
    const { id, type, params, userId, userEmail, firstName, lastName } = row;
    const name = personName({ firstName, lastName });
    const message = this.activity.worded(type, params, name || userEmail, language);
    const createdAt = new Date(row.createdAt);
    return { id: Number(id), type, message, createdAt, timestamp: createdAt, userId, userEmail };
  }
}

type Read = Awaited<ReturnType<ReturnType<ActivityLogService['rows']>['execute']>>[number];
