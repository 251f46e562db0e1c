import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { EmailConsentSchema } from '../entities/email-consent.entity.js';
import type { EmailUnsubscribeSchema } from '../entities/email-unsubscribe.entity.js';
import { SuppressionRepository } from '../leaving/suppression.repository.js';

type Tables = typeof EmailConsentSchema | typeof EmailUnsubscribeSchema;

export interface Consent {
  readonly ipAddress: string | null;
  /** How the consent was given: the join method, or `import` if the owner declared it. */
  readonly method: string;
  /** The text that the person agreed to. */
  readonly text: string;
}

/**
 * Consents to the emails of zones, and their withdrawal. A person receives emails if a consent is recorded and no
 * unsubscribe is. The consent row is kept as proof of what was agreed to.
 */
@Injectable()
export class ConsentRepository {
  constructor(
    private readonly clock: Clock,
    private readonly suppressions: SuppressionRepository,
  ) {}

  /**
   * Records a consent in the caller's transaction. Removes an unsubscribe from the zone, and lifts the suppression that
   * the deletion of an earlier account with this address created.
   */
  async recordConsent(
    em: EntityManager,
    zoneId: number,
    user: { id: number; email: string },
    consent: Consent,
  ): Promise<void> {
    const consentColumns = {
      consented_at: this.clock.now(),
      ip_address: consent.ipAddress,
      consent_method: consent.method,
      consent_text: consent.text,
    };
    await query<Tables>(em)
      .with('deleted_unsubscribe', (cte) =>
        cte.deleteFrom('email_unsubscribes').where('zone_id', '=', zoneId).where('user_id', '=', user.id),
      )
      .with('lifted', () => this.suppressions.liftErasedQuery(em, user.email))
      .insertInto('email_consents')
      .values({ zone_id: zoneId, user_id: user.id, ...consentColumns })
      .onConflict((conflict) => conflict.columns(['zone_id', 'user_id']).doUpdateSet(consentColumns))
      .execute();
  }

  /** Records consents that the owner declares for many people. Consents that people gave themselves take precedence. */
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

  /** Records that a person no longer wants emails of the zone. Idempotent. */
  async unsubscribe(em: EntityManager, zoneId: number, userId: number, reason: string | null): Promise<void> {
    await query<Tables>(em)
      .insertInto('email_unsubscribes')
      .values({ zone_id: zoneId, user_id: userId, unsubscribed_at: this.clock.now(), reason })
      .onConflict((conflict) => conflict.columns(['zone_id', 'user_id']).doNothing())
      .execute();
  }

  /** Reverts an unsubscribe made by mistake; the earlier consent applies again. */
  async resubscribe(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await query<Tables>(em)
      .deleteFrom('email_unsubscribes')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .execute();
  }

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
