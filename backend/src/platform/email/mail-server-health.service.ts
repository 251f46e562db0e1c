import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { freezeList } from '../constants/freeze-list.js';
import { addMilliseconds, Clock, MINUTE } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { query } from '../database/query.js';
import type { SendOutcome } from './outcome/send-outcome.js';
import { defineEntity, p } from '@mikro-orm/core';

/**
 * Whether emails reach people: `none` without a mail server, when they stay in the mailbox of this installation;
 * `untested` until the configured server has accepted one.
 */
export const emailDeliveries = freezeList(['none', 'untested', 'working']);
export type EmailDelivery = (typeof emailDeliveries)[number];

/** What the last email showed about the server: it accepts emails, it rejects them, or there is none. */
type ServerResult = 'takes' | 'fails' | 'absent';

/**
 * Stores in the database whether the mail server accepts emails, so that users who wait for an email can be informed.
 * Written when this changes, and at most once a minute.
 */
@Injectable()
export class MailServerHealthService {
  private readonly logger = new Logger('Mail');
  private lastResult: { readonly result: ServerResult; readonly at: number } | null = null;

  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * Records the outcome of an email. Rejection of the email or its recipient shows that the server works;
   * rejection of the sender counts as a failure. The promise never rejects.
   */
  async recordOutcome(outcome: SendOutcome): Promise<void> {
    const fails = outcome.kind === 'server-error' || (outcome.kind === 'rejected' && outcome.isOfSender);
    const result: ServerResult = fails ? 'fails' : outcome.kind === 'on-hold' ? 'absent' : 'takes';
    const now = this.clock.now();
    if (this.lastResult?.result === result && now.getTime() - this.lastResult.at < MINUTE) return;
    this.lastResult = { result, at: now.getTime() };
    try {
      if (fails) await this.recordFailure(now, outcome.reason);
      else if (result === 'takes') await this.recordSuccess(now);
      else await this.clearState();
    } catch (error) {
      // Sending continues, and the next email writes the state again.
      this.lastResult = null;
      this.logger.warn({ err: error }, "Couldn't record the mail server's state");
    }
  }

  /** Returns the state as seen by all processes. */
  readState() {
    return this.table()
      .selectFrom('mail_state')
      .select(['taken_at as takenAt', 'refusing_since as refusingSince', 'refused_at as refusedAt', 'reason'])
      .executeTakeFirstOrThrow();
  }

  /** Whether emails reach people. */
  async deliveryStatus(): Promise<EmailDelivery> {
    if (this.config.smtpUrl === null) return 'none';
    return (await this.readState()).takenAt === null ? 'untested' : 'working';
  }

  /** Clears the state after the mail server was changed. */
  async reset(): Promise<void> {
    this.lastResult = null;
    await this.clearState();
  }

  private async clearState(): Promise<void> {
    await this.table()
      .updateTable('mail_state')
      .set({ taken_at: null, refusing_since: null, refused_at: null, reason: null })
      .where(sql<boolean>`coalesce(taken_at, refusing_since, refused_at) is not null`)
      .execute();
  }

  private async recordSuccess(now: Date): Promise<void> {
    await this.table()
      .updateTable('mail_state')
      .set({ taken_at: now, refusing_since: null })
      .where(
        sql<boolean>`(refusing_since is not null or taken_at is null or taken_at < ${addMilliseconds(now, -MINUTE)})`,
      )
      .execute();
  }

  private async recordFailure(now: Date, reason: string): Promise<void> {
    await this.table()
      .updateTable('mail_state')
      .set(({ fn, val }) => ({ refusing_since: fn.coalesce('refusing_since', val(now)), refused_at: now, reason }))
      .where(
        sql<boolean>`(refusing_since is null or refused_at is null or refused_at < ${addMilliseconds(now, -MINUTE)})`,
      )
      .execute();
  }

  private table() {
    return query<typeof MailStateSchema>(this.orm.em.fork() as EntityManager);
  }
}

/** A single row: whether the mail server accepts emails. Written by all processes that send. */
export const MailStateSchema = defineEntity({
  name: 'MailState',
  tableName: 'mail_state',
  checks: [{ name: 'mail_state_only_check', expression: 'id = 1' }],
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** When the server last accepted an email, to the minute; null before the first. */
    takenAt: p.datetime().nullable(),
    /** Since when the server has rejected all emails; null while it accepts them. */
    refusingSince: p.datetime().nullable(),
    /** When it last failed, to the minute. */
    refusedAt: p.datetime().nullable(),
    /** The last error message, without email addresses. */
    reason: p.string().length(300).nullable(),
  },
});
export class MailState extends MailStateSchema.class {}
MailStateSchema.setClass(MailState);
