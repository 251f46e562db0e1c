import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { EmailQuotaScope, NonMemberEmailCountSchema } from './non-member-email-count.entity.js';

type Tables = typeof NonMemberEmailCountSchema;

/** A counter of an owner's emails today: to an address, from a zone's links, or all. */
export interface CounterKey {
  readonly ownerId: number;
  readonly scope: EmailQuotaScope;
  readonly subject: string;
}

/**
 * Counters of today's (UTC) emails to people who are not members. Each change is one conditional update, after which the
 * row stays locked until the commit. Locks are taken in a fixed order: addresses (sorted), zone, owner.
 */
@Injectable()
export class NonMemberEmailCountRepository {
  constructor(private readonly clock: Clock) {}

  /**
   * Counts one email to each address that has received fewer than `limit`.
   * @param keys digests of the addresses
   * @returns the keys that were counted
   */
  async incrementAddresses(
    em: EntityManager,
    ownerId: number,
    keys: readonly string[],
    limit: number,
  ): Promise<string[]> {
    const { rows } = await sql<{ subject: string }>`
      insert into stranger_mails as m (owner_id, day, scope, subject, used)
      select ${ownerId}::bigint, ${this.today()}, 'address', key, 1
      from unnest(${[...keys].sort()}::text[]) as wanted(key)
      on conflict (owner_id, day, scope, subject) do update set used = m.used + 1
        where m.used < ${limit}
      returning subject
    `.execute(query<Tables>(em));
    return rows.map(({ subject }) => subject);
  }

  /**
   * Adds up to `amount` to a counter within its limit (null: unlimited).
   * @returns how much was added
   */
  async addUpTo(
    em: EntityManager,
    { ownerId, scope, subject }: CounterKey,
    amount: number,
    allowed: number | null,
  ): Promise<number> {
    const day = this.today();
    const rows = query<Tables>(em);
    await rows
      .insertInto('stranger_mails')
      .values({ owner_id: ownerId, day, scope, subject })
      .onConflict((conflict) => conflict.columns(['owner_id', 'day', 'scope', 'subject']).doNothing())
      .execute();
    const { rows: granted } = await sql<{ granted: string }>`
      with room as (
        select greatest(0, least(${amount}::bigint, ${allowed}::bigint - used)) as granted from stranger_mails
        where owner_id = ${ownerId} and day = ${day} and scope = ${scope} and subject = ${subject} for update
      )
      update stranger_mails set used = used + room.granted from room
      where owner_id = ${ownerId} and day = ${day} and scope = ${scope} and subject = ${subject}
      returning room.granted
    `.execute(rows);
    return Number(granted[0]!.granted);
  }

  async decrement(em: EntityManager, { ownerId, scope, subject }: CounterKey): Promise<void> {
    await query<Tables>(em)
      .updateTable('stranger_mails')
      .set({ used: sql<number>`used - 1` })
      .where('owner_id', '=', ownerId)
      .where('day', '=', this.today())
      .where('scope', '=', scope)
      .where('subject', '=', subject)
      .execute();
  }

  /**
   * Subtracts one email to each address from the counters of the addresses and of the owner.
   * @param keys digests of the addresses
   */
  async subtractAddresses(em: EntityManager, ownerId: number, keys: readonly string[]): Promise<void> {
    await sql`
      update stranger_mails set used = used - case scope when 'owner' then ${keys.length}::int else 1 end
      where owner_id = ${ownerId} and day = ${this.today()}
        and (scope = 'owner' or (scope = 'address' and subject = any(${[...keys]}::text[])))
    `.execute(query<Tables>(em));
  }

  /** Returns how many emails of the owner are counted. */
  async countSent(em: EntityManager, ownerId: number): Promise<number> {
    const row = await query<Tables>(em)
      .selectFrom('stranger_mails')
      .select('used')
      .where('owner_id', '=', ownerId)
      .where('day', '=', this.today())
      .where('scope', '=', 'owner')
      .executeTakeFirst();
    return Number(row?.used ?? 0);
  }

  /**
   * Records that the owner is notified about the exhausted quota.
   * @returns false if that happened today already
   */
  async recordNotice(em: EntityManager, ownerId: number): Promise<boolean> {
    const marked = await query<Tables>(em)
      .insertInto('stranger_mails')
      .values({ owner_id: ownerId, day: this.today(), scope: 'owner', subject: '', told_at: this.clock.now() })
      .onConflict((conflict) =>
        conflict
          .columns(['owner_id', 'day', 'scope', 'subject'])
          .doUpdateSet({ told_at: this.clock.now() })
          .where('stranger_mails.told_at', 'is', null),
      )
      .returning('owner_id')
      .executeTakeFirst();
    return marked !== undefined;
  }

  private today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }
}
