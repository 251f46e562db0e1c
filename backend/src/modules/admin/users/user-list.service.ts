import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage, streamNewestFirst } from '../../../platform/http/lists/admin-page.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { adminErrors } from '../admin.errors.js';
import { getUserAbilities, getUserState } from '../admin.policy.js';
import type { AdminUserDto } from '../dto/admin-user.dto.js';
import type { UserQueryDto } from '../dto/list-query.dto.js';
import { matchingUserIds } from '../user-search.js';

type Filters = Pick<UserQueryDto, 'q' | 'state' | 'plan' | 'role'>;

/** The displayed name; must match the expression of the index. */
const displayNameSql = sql`coalesce(u.first_name || coalesce(' ' || nullif(u.last_name, '.'), ''), u.email) collate "tr_numeric"`;

const sorting = {
  fields: { createdAt: 'u.id', email: 'u.email', name: displayNameSql, plan: 'u.plan' },
  id: 'u.id',
};

/** Users for administrators, without accounts deleted by their users. */
@Injectable()
export class UserListService {
  constructor(private readonly em: EntityManager) {}

  /** Returns one page; `q` matches address, username and name. */
  listPage(dto: UserQueryDto, viewer: Viewer): Promise<AdminPage<AdminUserDto>> {
    const [matching, rows] = [this.filterUsers(dto), this.selectRows({})];
    return loadAdminPage(dto, sorting, { filtered: matching, rows, toRow: (row) => toDto(row, viewer) });
  }

  /** Streams all matching users, newest first. */
  streamAll(filters: Filters, viewer: Viewer): AsyncGenerator<AdminUserDto> {
    return streamNewestFirst(this.selectRows(filters), 'u.id', (row) => toDto(row, viewer));
  }

  /** @throws USER_NOT_FOUND also for an account that its user has deleted */
  async getUser(id: number, viewer: Viewer): Promise<AdminUserDto> {
    const row = await this.selectRows({}).where('u.id', '=', id).executeTakeFirst();
    if (!row) throw adminErrors.USER_NOT_FOUND();
    return toDto(row, viewer);
  }

  private selectRows(filters: Filters) {
    const zones = sql<number>`(select count(*)::int from zones z where z.owner_id = u.id and z.deleted_at is null)`;
    return this.filterUsers(filters)
      .select(['u.id as id', 'u.email as email', 'u.username as username', 'u.role as role', 'u.plan as plan'])
      .select(['u.first_name as firstName', 'u.last_name as lastName', 'u.is_super_admin as isSuperAdmin'])
      .select(['u.email_verified as emailVerified', 'u.deactivated_at as deactivatedAt', 'u.created_at as createdAt'])
      .select(zones.as('zoneCount'));
  }

  private filterUsers({ q, state, plan, role }: Filters) {
    let rows = query<typeof UserSchema>(this.em).selectFrom('users as u').where('u.erased_at', 'is', null);
    if (q?.trim()) rows = rows.where('u.id', 'in', matchingUserIds(q));
    if (plan) rows = rows.where('u.plan', '=', plan);
    if (role) rows = rows.where('u.is_super_admin', '=', role === 'super-admin');
    if (role === 'user' || role === 'admin') rows = rows.where('u.role', '=', role);
    if (state) rows = rows.where('u.deactivated_at', state === 'deactivated' ? 'is not' : 'is', null);
    // Must match `getUserState`. The index of pending accounts is on `not u.email_verified`.
    if (state === 'active') rows = rows.where(sql<boolean>`(u.email_verified or u.is_super_admin)`);
    if (state === 'pending') rows = rows.where(sql<boolean>`not u.email_verified and not u.is_super_admin`);
    return rows;
  }
}

type UserRow = Omit<AdminUserDto, 'state' | 'can'>;

const toDto = (row: UserRow, viewer: Viewer): AdminUserDto => ({
  ...row,
  state: getUserState(row),
  can: getUserAbilities(viewer, row),
});
