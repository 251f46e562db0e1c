import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage } from '../../../platform/http/lists/admin-page.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { StripeEventDto, StripeEventQueryDto } from '../admin/billing-oversight.dto.js';
import type { EventOutcome, StripeEventSchema } from '../entities/billing-account.entity.js';

type Tables = typeof UserSchema | typeof StripeEventSchema;

const MAX_TYPE_LENGTH = 100;

const sorting = { fields: { receivedAt: 'e.received_at', type: 'e.type' }, id: 'e.id' };

/** Events delivered by Stripe. */
@Injectable()
export class StripeEventRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @returns false if the event has been stored before */
  async insertEvent(
    em: EntityManager,
    event: { id: string; type: string; customerId: string | null; outcome: EventOutcome },
  ): Promise<boolean> {
    const { id, type, customerId, outcome } = event;
    const row = await query<Tables>(em)
      .insertInto('stripe_events')
      .values({
        id,
        type: type.slice(0, MAX_TYPE_LENGTH),
        customer_id: customerId,
        outcome,
        received_at: this.clock.now(),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  }

  async deleteReceivedBefore(time: Date): Promise<void> {
    await query<Tables>(this.em.fork()).deleteFrom('stripe_events').where('received_at', '<', time).execute();
  }

  async findLastReceivedAt(): Promise<Date | null> {
    const last = await query<Tables>(this.em)
      .selectFrom('stripe_events')
      .select(sql<Date | null>`max(received_at)`.as('at'))
      .executeTakeFirstOrThrow();
    return last.at;
  }

  /** Returns one page of the events, newest first; `q` is a complete type or id. */
  findAdminPage(dto: StripeEventQueryDto): Promise<AdminPage<StripeEventDto>> {
    const rows = query<Tables>(this.em)
      .selectFrom('stripe_events as e')
      .leftJoin('users as u', 'u.stripe_customer_id', 'e.customer_id')
      .select(['e.id as id', 'e.type as type', 'e.outcome as outcome', 'e.received_at as receivedAt'])
      .select(['u.id as userId', 'u.email as userEmail']);
    return loadAdminPage(dto, sorting, { filtered: this.filterEvents(dto), rows, toRow: (row) => row });
  }

  private filterEvents({ outcome, q = '' }: StripeEventQueryDto) {
    let rows = query<Tables>(this.em).selectFrom('stripe_events as e');
    if (outcome) rows = rows.where('e.outcome', '=', outcome);
    const requested = q.trim();
    return requested
      ? rows.where((where) => where.or([where('e.type', '=', requested), where('e.id', '=', requested)]))
      : rows;
  }
}
