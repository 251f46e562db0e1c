import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { EmailConsentSchema } from '../entities/email-consent.entity.js';
import { EmailUnsubscribeSchema } from '../entities/email-unsubscribe.entity.js';
import { SuppressionService } from '../leaving/suppression.service.js';

type Tables = typeof EmailConsentSchema | typeof EmailUnsubscribeSchema;

export interface Consent {
  readonly ipAddress: string | null;
  /** How it was given: the way in, or `import` when the owner declares it. */
  readonly method: string;
  /** The words that the person agreed to. */
  readonly text: string;
}

/**
 * Consent to the mails of zones, and its end. A person gets them while a consent is noted and no unsubscribe is: the
 * consent itself stays as proof of what was agreed to.
 */
@Injectable()
export class ConsentService {
  constructor(
    private readonly clock: Clock,
    private readonly suppressions: SuppressionService,
  ) {}

  /**
   * Notes that a person agrees now, in the caller's transaction: an unsubscribe from the zone ends, and the address is
   * written to again if it was left out because an earlier account of theirs was deleted.
   */
  async recordConsent(
    em: EntityManager,
    zoneId: number,
    user: { id: number; email: string },
    consent: Consent,
  ): Promise<void> {
    const given = {
      consented_at: this.clock.now(),
      ip_address: consent.ipAddress,
      consent_method: consent.method,
      consent_text: consent.text,
    };
    await query<Tables>(em)
      .with('fresh', (cte) =>
        cte.deleteFrom('email_unsubscribes').where('zone_id', '=', zoneId).where('user_id', '=', user.id),
      )
      .with('lifted', () => this.suppressions.liftErasedQuery(em, user.email))
      .insertInto('email_consents')
      .values({ zone_id: zoneId, user_id: user.id, ...given })
      .onConflict((conflict) => conflict.columns(['zone_id', 'user_id']).doUpdateSet(given))
      .execute();
  }

  /** Notes a consent that the owner declares for many; what a person agreed to by themselves stands. */
  async recordDeclaredConsents(
    em: EntityManager,
    zoneId: number,
    userIds: readonly number[],
    consent: Consent,
  ): Promise<void> {
    if (userIds.length === 0) return;
    await sql`
      insert into email_consents (zone_id, user_id, consented_at, ip_address, consent_method, consent_text)
      select ${zoneId}::bigint, id::bigint, ${this.clock.now()}::timestamptz, ${consent.ipAddress}, ${consent.method},
        ${consent.text}
      from jsonb_array_elements_text(${JSON.stringify(userIds)}::jsonb) as id
      on conflict (zone_id, user_id) do nothing`.execute(query<Tables>(em));
  }

  /** Notes that a person wants no mails of the zone any more. Doing it again changes nothing. */
  async unsubscribe(em: EntityManager, zoneId: number, userId: number, reason: string | null): Promise<void> {
    await query<Tables>(em)
      .insertInto('email_unsubscribes')
      .values({ zone_id: zoneId, user_id: userId, unsubscribed_at: this.clock.now(), reason })
      .onConflict((conflict) => conflict.columns(['zone_id', 'user_id']).doNothing())
      .execute();
  }

  /** Takes an unsubscribe back that was a mistake: what was agreed to before holds again. */
  async resubscribe(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await query<Tables>(em)
      .deleteFrom('email_unsubscribes')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .execute();
  }

  /** True while the person wants no mails of the zone. */
  async isUnsubscribed(em: EntityManager, zoneId: number, userId: number): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('email_unsubscribes')
      .select('id')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row !== undefined;
  }
}
