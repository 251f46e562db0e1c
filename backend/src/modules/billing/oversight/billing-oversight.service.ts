import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import type { AdminPage } from '../../../platform/http/lists/admin-list.js';
import { adminPage } from '../../../platform/http/lists/admin-page.js';
import { SecurityEventSchema } from '../../../platform/trail/security-event.entity.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { BillingAccountSchema, StripeEventSchema } from '../entities/billing-account.entity.js';
import type { BillingOversightDto, StripeEventDto, StripeEventQueryDto } from './billing-oversight.dto.js';

type Tables = typeof UserSchema | typeof BillingAccountSchema | typeof StripeEventSchema | typeof SecurityEventSchema;

/** Over which refused deliveries are counted. */
const REFUSALS = 30 * DAY;
const MOST = 100;

const sorting = { fields: { receivedAt: 'e.received_at', type: 'e.type' }, id: 'e.id' };

/** What administrators see of billing: events, and what is wrong. */
@Injectable()
export class BillingOversight {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** One page of the events of the last 90 days, the newest first; `q` is a whole type, or a whole id. */
  events(asked: StripeEventQueryDto): Promise<AdminPage<StripeEventDto>> {
    const rows = query<Tables>(this.em)
      .selectFrom('stripe_events as e')
      .leftJoin('users as u', 'u.stripe_customer_id', 'e.customer_id')
      .select(['e.id as id', 'e.type as type', 'e.outcome as outcome', 'e.received_at as receivedAt'])
      .select(['u.id as userId', 'u.email as userEmail']);
    return adminPage(asked, sorting, { matching: this.matching(asked), rows, shown: (row) => row });
  }

  /** Whether sales are set up, and what was last heard from Stripe. */
  async state(): Promise<BillingOversightDto> {
    const { secretKey, webhookSecret } = this.config.stripe;
    const last = await query<Tables>(this.em)
      .selectFrom('stripe_events')
      .select(sql<Date | null>`max(received_at)`.as('at'))
      .executeTakeFirstOrThrow();
    const refusals = await query<Tables>(this.em)
      .selectFrom('security_events')
      .select([sql<number>`coalesce(sum("count"), 0)::int`.as('count'), sql<Date | null>`max(last_at)`.as('at')])
      .where('kind', '=', 'webhook-refused')
      .where('detail', '=', 'stripe')
      .where('last_at', '>=', after(this.clock.now(), -REFUSALS))
      .executeTakeFirstOrThrow();
    return {
      isConfigured: secretKey !== null,
      takesEvents: webhookSecret !== null,
      severalSubscriptions: await this.several(),
      refused: refusals.count,
      lastRefusedAt: refusals.at,
      lastReceivedAt: last.at,
    };
  }

  private several() {
    return query<Tables>(this.em)
      .selectFrom('billing_accounts as b')
      .innerJoin('users as u', 'u.id', 'b.user_id')
      .select(['u.id as userId', 'u.email as email', 'b.live as live'])
      .where(sql<boolean>`b.live > 1`)
      .where('u.erased_at', 'is', null)
      .orderBy('u.id')
      .limit(MOST)
      .execute();
  }

  private matching({ outcome, q = '' }: StripeEventQueryDto) {
    let rows = query<Tables>(this.em).selectFrom('stripe_events as e');
    if (outcome) rows = rows.where('e.outcome', '=', outcome);
    const wanted = q.trim();
    return wanted ? rows.where((where) => where.or([where('e.type', '=', wanted), where('e.id', '=', wanted)])) : rows;
  }
}
