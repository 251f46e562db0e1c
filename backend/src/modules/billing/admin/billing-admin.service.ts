import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { loadAdminPage } from '../../../platform/http/lists/admin-page.js';
import { SecurityEventSchema } from '../../../platform/security-events/security-event.entity.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { BillingAccountSchema, StripeEventSchema } from '../entities/billing-account.entity.js';
import type { BillingOversightDto, StripeEventDto, StripeEventQueryDto } from './billing-oversight.dto.js';

type Tables = typeof UserSchema | typeof BillingAccountSchema | typeof StripeEventSchema | typeof SecurityEventSchema;

/** The period over which rejected deliveries are counted. */
const REJECTION_WINDOW = 30 * DAY;
const MAX_ROWS = 100;

const sorting = { fields: { receivedAt: 'e.received_at', type: 'e.type' }, id: 'e.id' };

/** Billing events and problems, for administrators. */
@Injectable()
export class BillingAdminService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Returns one page of the events of the last 90 days, newest first; `q` is a complete type or id. */
  listEvents(dto: StripeEventQueryDto): Promise<AdminPage<StripeEventDto>> {
    const rows = query<Tables>(this.em)
      .selectFrom('stripe_events as e')
      .leftJoin('users as u', 'u.stripe_customer_id', 'e.customer_id')
      .select(['e.id as id', 'e.type as type', 'e.outcome as outcome', 'e.received_at as receivedAt'])
      .select(['u.id as userId', 'u.email as userEmail']);
    return loadAdminPage(dto, sorting, { filtered: this.filterEvents(dto), rows, toRow: (row) => row });
  }

  /** Returns whether billing is configured, and when Stripe last sent something. */
  async getState(): Promise<BillingOversightDto> {
    const { secretKey, webhookSecret } = this.config.stripe;
    const last = await query<Tables>(this.em)
      .selectFrom('stripe_events')
      .select(sql<Date | null>`max(received_at)`.as('at'))
      .executeTakeFirstOrThrow();
    const rejections = await query<Tables>(this.em)
      .selectFrom('security_events')
      .select([sql<number>`coalesce(sum("count"), 0)::int`.as('count'), sql<Date | null>`max(last_at)`.as('at')])
      .where('kind', '=', 'webhook-refused')
      .where('detail', '=', 'stripe')
      .where('last_at', '>=', addMilliseconds(this.clock.now(), -REJECTION_WINDOW))
      .executeTakeFirstOrThrow();
    return {
      isConfigured: secretKey !== null,
      takesEvents: webhookSecret !== null,
      severalSubscriptions: await this.listUsersWithSeveralSubscriptions(),
      refused: rejections.count,
      lastRefusedAt: rejections.at,
      lastReceivedAt: last.at,
    };
  }

  private listUsersWithSeveralSubscriptions() {
    return query<Tables>(this.em)
      .selectFrom('billing_accounts as b')
      .innerJoin('users as u', 'u.id', 'b.user_id')
      .select(['u.id as userId', 'u.email as email', 'b.live as live'])
      .where(sql<boolean>`b.live > 1`)
      .where('u.erased_at', 'is', null)
      .orderBy('u.id')
      .limit(MAX_ROWS)
      .execute();
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
