import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import { PlanService } from '../../plans/plan.service.js';
import { NonMemberEmailCountSchema, type EmailQuotaScope } from './non-member-email-count.entity.js';
import { notifyJoinEmailsDelayed } from '../zones.jobs.js';

/**
 * Maximum emails per day from one owner to one address: invitations (including repeated ones and those sent again after
 * a revocation) and join emails together.
 */
export const MAX_EMAILS_PER_ADDRESS = 3;
/** Share of the owner's daily quota that visitors of one zone's links may use, so that the owner can still invite. */
const ZONE_SHARE = 0.5;

/** The owner's usage today. `allowed` is null if unlimited. */
export interface DailyEmailUsage {
  readonly used: number;
  readonly allowed: number | null;
}

/** `sent`, or the reason: the address has reached its daily limit, or the owner's daily quota is exhausted. */
export type JoinEmailResult = 'sent' | 'enoughToAddress' | 'later';

interface CounterKey {
  readonly ownerId: number;
  readonly scope: EmailQuotaScope;
  readonly subject: string;
}

/**
 * Limits emails to people who are not members yet. Every count is a single conditional update in the caller's
 * transaction, so that concurrent requests can't exceed a limit. Revoking an invitation does not refund its email.
 * Locks rows in a fixed order: addresses (sorted), zone, owner.
 */
@Injectable()
export class NonMemberEmailQuotaService {
  private readonly key: DerivedKey;

  constructor(
    private readonly clock: Clock,
    config: AppConfig,
    private readonly plans: PlanService,
    private readonly jobs: JobsService,
  ) {
    this.key = config.keys.forPurpose('stranger-mail');
  }

  /**
   * Counts one email to each address.
   * @param emails without duplicates
   * @returns the addresses that may be emailed
   */
  async reserveForAddresses(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<Set<string>> {
    if (emails.length === 0) return new Set();
    const byKey = new Map(emails.map((email) => [this.addressKey(email), email]));
    const { rows } = await sql<{ subject: string }>`
      insert into stranger_mails as m (owner_id, day, scope, subject, used)
      select ${ownerId}::bigint, ${this.today()}, 'address', key, 1
      from unnest(${[...byKey.keys()].sort()}::text[]) as wanted(key)
      on conflict (owner_id, day, scope, subject) do update set used = m.used + 1
        where m.used < ${MAX_EMAILS_PER_ADDRESS}
      returning subject
    `.execute(query<typeof NonMemberEmailCountSchema>(em));
    return new Set(rows.map(({ subject }) => byKey.get(subject)!));
  }

  /**
   * Counts as many of `amount` emails as the owner's daily quota allows.
   * @returns the number granted, from 0 to `amount`
   */
  async reserveUpTo(em: EntityManager, ownerId: number, amount: number): Promise<number> {
    if (amount <= 0) return 0;
    const { allowed } = await this.getDailyUsage(em, ownerId);
    return this.addUpTo(em, { ownerId, scope: 'owner', subject: '' }, amount, allowed);
  }

  /** Refunds emails that were counted in the same transaction but will not be sent. */
  async refund(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<void> {
    if (emails.length === 0) return;
    await sql`
      update stranger_mails set used = used - case scope when 'owner' then ${emails.length}::int else 1 end
      where owner_id = ${ownerId} and day = ${this.today()}
        and (scope = 'owner' or (scope = 'address' and subject = any(${emails.map((email) => this.addressKey(email))}::text[])))
    `.execute(query<typeof NonMemberEmailCountSchema>(em));
  }

  /**
   * Counts the email to a visitor who requests to join. If the daily quota is exhausted, the owner is notified once a day.
   */
  async reserveJoinEmail(
    em: EntityManager,
    zone: { id: number; ownerId: number },
    email: string,
  ): Promise<JoinEmailResult> {
    const { id, ownerId } = zone;
    if ((await this.reserveForAddresses(em, ownerId, [email])).size === 0) return 'enoughToAddress';
    const { allowed } = await this.getDailyUsage(em, ownerId);
    const ofZone: CounterKey = { ownerId, scope: 'zone', subject: String(id) };
    const zoneLimit = allowed === null ? null : Math.ceil(allowed * ZONE_SHARE);
    const fitsZone = (await this.addUpTo(em, ofZone, 1, zoneLimit)) === 1;
    if (fitsZone && (await this.reserveUpTo(em, ownerId, 1)) === 1) return 'sent';
    if (fitsZone) await this.subtract(em, ofZone);
    await this.subtract(em, { ownerId, scope: 'address', subject: this.addressKey(email) });
    await this.notifyOwner(em, ownerId);
    return 'later';
  }

  /** Returns the owner's usage and limit for today. */
  async getDailyUsage(em: EntityManager, ownerId: number): Promise<DailyEmailUsage> {
    const { limits } = await this.plans.getOwnerPlanIn(em, ownerId);
    const row = await query<typeof NonMemberEmailCountSchema>(em)
      .selectFrom('stranger_mails')
      .select('used')
      .where('owner_id', '=', ownerId)
      .where('day', '=', this.today())
      .where('scope', '=', 'owner')
      .executeTakeFirst();
    return { used: Number(row?.used ?? 0), allowed: limits.invites };
  }

  /** Adds up to `amount` to a counter within its limit. The row stays locked until the end of the transaction. */
  private async addUpTo(em: EntityManager, row: CounterKey, amount: number, allowed: number | null): Promise<number> {
    const { ownerId, scope, subject } = row;
    const day = this.today();
    const rows = query<typeof NonMemberEmailCountSchema>(em);
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

  private async subtract(em: EntityManager, { ownerId, scope, subject }: CounterKey): Promise<void> {
    await query<typeof NonMemberEmailCountSchema>(em)
      .updateTable('stranger_mails')
      .set({ used: sql<number>`used - 1` })
      .where('owner_id', '=', ownerId)
      .where('day', '=', this.today())
      .where('scope', '=', scope)
      .where('subject', '=', subject)
      .execute();
  }

  private async notifyOwner(em: EntityManager, ownerId: number): Promise<void> {
    const marked = await query<typeof NonMemberEmailCountSchema>(em)
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
    if (marked) await this.jobs.enqueue(em, notifyJoinEmailsDelayed, { ownerId });
  }

  private today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }

  private addressKey(email: string): string {
    return this.key.digest(email);
  }
}
