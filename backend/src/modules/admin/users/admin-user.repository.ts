import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage, streamNewestFirst } from '../../../platform/http/lists/admin-page.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import { hasFactorSql } from '../../auth/mfa/mfa.sql.js';
import type { BillingAccountSchema } from '../../billing/entities/billing-account.entity.js';
import type { AdminUserDto } from '../dto/admin-user.dto.js';
import type { UserQueryDto } from '../dto/list-query.dto.js';
import { matchingUserIds } from '../user-search.sql.js';

type Tables = typeof UserSchema | typeof BillingAccountSchema;

export type UserFilters = Pick<UserQueryDto, 'q' | 'state' | 'plan' | 'role'>;
export type AdminUserRow = Omit<AdminUserDto, 'state' | 'can'>;

/** The displayed name; must match the expression of the index. */
const displayNameSql = sql`coalesce(u.first_name || coalesce(' ' || nullif(u.last_name, '.'), ''), u.email) collate "tr_numeric"`;

const sorting = {
  fields: { createdAt: 'u.id', email: 'u.email', name: displayNameSql, plan: 'u.plan' },
  id: 'u.id',
};

/** Read access to users and their figures, without accounts deleted by their users. */
@Injectable()
export class AdminUserRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns one page; `q` matches address, username and name. */
  findPage(dto: UserQueryDto): Promise<AdminPage<AdminUserRow>> {
    const [matching, rows] = [this.filterUsers(dto), this.selectRows({})];
    return loadAdminPage(dto, sorting, { filtered: matching, rows, toRow: (row) => row });
  }

  /** Streams all matching users, newest first. */
  streamAll(filters: UserFilters): AsyncGenerator<AdminUserRow> {
    return streamNewestFirst(this.selectRows(filters), 'u.id', (row) => row);
  }

  async findUser(id: number): Promise<AdminUserRow | null> {
    const row = await this.selectRows({}).where('u.id', '=', id).executeTakeFirst();
    return row ?? null;
  }

  /** Returns the settings and figures of an existing user. */
  getFigures(id: number) {
    const open = sql`from sessions s where s.user_id = u.id and s.expire > ${this.clock.now()}`;
    return query<Tables>(this.em)
      .selectFrom('users as u')
      .select(['u.language as language', 'u.time_zone as timeZone'])
      .select(sql<boolean>`u.stripe_subscription_id is not null`.as('hasSubscription'))
      .select(sql<boolean>`${sql.raw(hasFactorSql)}`.as('hasFactor'))
      .select(sql<number>`(select count(*)::int ${open})`.as('sessions'))
      .select(sql<Date | null>`(select max(s.last_seen_at) from sessions s where s.user_id = u.id)`.as('lastSeenAt'))
      .select(
        sql<number>`(select count(*)::int from zone_members m where m.user_id = u.id and m.role <> 'owner')`.as(
          'memberships',
        ),
      )
      .where('u.id', '=', id)
      .executeTakeFirstOrThrow();
  }

  /** Returns the subscription of an existing user, and the ids at Stripe. */
  getSubscription(id: number) {
    return query<Tables>(this.em)
      .selectFrom('users as u')
      .leftJoin('billing_accounts as b', 'b.user_id', 'u.id')
      .select(['u.stripe_customer_id as customerId', 'u.stripe_subscription_id as subscriptionId'])
      .select(['u.subscription_status as status', 'b.interval as interval', 'b.amount as amount'])
      .select(['b.currency as currency', 'b.current_period_end as currentPeriodEnd'])
      .select(['b.cancel_at_period_end as cancelAtPeriodEnd', 'b.past_due_since as pastDueSince'])
      .where('u.id', '=', id)
      .executeTakeFirstOrThrow();
  }

  private selectRows(filters: UserFilters) {
    const zones = sql<number>`(select count(*)::int from zones z where z.owner_id = u.id and z.deleted_at is null)`;
    return this.filterUsers(filters)
      .select(['u.id as id', 'u.email as email', 'u.username as username', 'u.role as role', 'u.plan as plan'])
      .select(['u.first_name as firstName', 'u.last_name as lastName', 'u.is_super_admin as isSuperAdmin'])
      .select(['u.email_verified as emailVerified', 'u.deactivated_at as deactivatedAt', 'u.created_at as createdAt'])
      .select(zones.as('zoneCount'));
  }

  private filterUsers({ q, state, plan, role }: UserFilters) {
    let rows = query<Tables>(this.em).selectFrom('users as u').where('u.erased_at', 'is', null);
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
