import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { sql } from 'kysely';
import { Audit } from '../audit/audit.service.js';
import { Clock, SECOND } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { renewedPassword } from '../config/mail-server.js';
import {
  settingKeys,
  storedKeys,
  valuesOf,
  type SettingValues,
  type ShownSetting,
  type StoredKey,
} from '../config/settings.js';
import { query } from '../database/query.js';
import { inTransaction } from '../database/transaction.js';
import { JobSignal } from '../jobs/job-signal.js';
import type { InstallationSettingSchema } from './installation-setting.entity.js';

/** How the settings are looked after, in milliseconds. */
@Injectable()
export class SettingsTimings {
  /** How often they are looked for when no signal comes: it may be lost, and behind some poolers none arrives. */
  readonly look: number = 10 * SECOND;
}

/** What is to be set; null puts the default back, and what is left out stays. */
export type SettingChanges = Readonly<Partial<Record<StoredKey, string | null>>>;

/** Who sets it, as the audit log keeps it. */
interface Setter {
  readonly actorId: number;
  readonly ipAddress: string | null;
}

/** What super admins have set in the page. Every process takes a change up within seconds, into its `AppConfig`. */
@Injectable()
export class InstallationSettings implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Settings');
  private timer: NodeJS.Timeout | undefined;
  /** Settles when the look under way has ended, well or not. */
  private turn: Promise<void> = Promise.resolve();
  private queued: Promise<void> | null = null;
  private closed = false;
  /** The last look failed, and that has been logged. */
  private failing = false;

  constructor(
    private readonly orm: MikroORM,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly audit: Audit,
    private readonly signal: JobSignal,
    private readonly timings: SettingsTimings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.timer = setInterval(() => void this.look(), this.timings.look).unref();
    // It is made while the application starts, which does not wait for it.
    void this.signal.hear(() => void this.look());
    await this.renewPassword();
  }

  async onModuleDestroy(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await this.turn;
  }

  /** Everything that can be set, and what holds of it here. */
  all(): ShownSetting[] {
    return settingKeys.map((key) => this.config.shown(key));
  }

  /**
   * Sets some of them, all or none. From its answer on it holds in this process; others hear of it after the commit.
   * @param along what follows from a change, in its transaction
   */
  async change(changes: SettingChanges, by: Setter, along?: (em: EntityManager) => Promise<void>): Promise<void> {
    await inTransaction(this.em(), async (em) => {
      const before = await this.read(em);
      const keys = storedKeys.filter((key) => changes[key] !== undefined && changes[key] !== (before[key] ?? null));
      // In one order everywhere, so that two who set several do not wait for each other.
      for (const key of [...keys].sort()) await this.set(em, key, changes[key]!, by.actorId);
      if (keys.length === 0) return;
      // Without the values: some are addresses of people.
      await this.audit.record(em, { type: 'installation.changed', ...by, params: { settings: keys.join(', ') } });
      this.signal.raise(em, 'settings');
      await along?.(em);
    });
    await this.refresh();
  }

  /** Takes a person out of what is kept of who set what, in the transaction of `em`. */
  async forget(em: EntityManager, userId: number): Promise<void> {
    await query<typeof InstallationSettingSchema>(em)
      .updateTable('installation_settings')
      .set({ changed_by_id: null })
      .where('changed_by_id', '=', userId)
      .execute();
  }

  /** Reads what is set now. One look after the other, so that an older answer never comes last. */
  refresh(): Promise<void> {
    this.queued ??= this.turn.then(async () => {
      this.queued = null;
      this.config.take(await this.read(this.em()));
    });
    this.turn = this.queued.catch(() => undefined);
    return this.queued;
  }

  /** Keeps the password of the mail server under the newest secret, before an older one leaves the list. */
  async renewPassword(): Promise<void> {
    const em = this.em();
    const set = await this.read(em);
    const renewed = renewedPassword(this.config.keys, set);
    if (renewed === null) return;
    await query<typeof InstallationSettingSchema>(em)
      .updateTable('installation_settings')
      .set({ value: sql<unknown>`to_jsonb(${renewed}::text)` })
      .where('key', '=', 'mailPassword')
      // Unless somebody has entered another meanwhile.
      .where(sql<boolean>`value = to_jsonb(${set.mailPassword}::text)`)
      .execute();
    await this.refresh();
  }

  private async look(): Promise<void> {
    if (this.closed) return;
    try {
      await this.refresh();
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.warn({ err: error }, 'The settings cannot be read; what they were last holds.');
      this.failing = true;
    }
  }

  /** What is set, as the transaction of `em` sees it; `AppConfig` may be seconds behind. */
  async read(em: EntityManager): Promise<SettingValues> {
    const rows = await query<typeof InstallationSettingSchema>(em)
      .selectFrom('installation_settings')
      .select(['key', 'value'])
      .execute();
    return valuesOf(rows);
  }

  private async set(em: EntityManager, key: StoredKey, value: string | null, by: number): Promise<void> {
    const table = query<typeof InstallationSettingSchema>(em);
    if (value === null) {
      await table.deleteFrom('installation_settings').where('key', '=', key).execute();
      return;
    }
    const row = {
      value: sql<unknown>`to_jsonb(${value}::text)`,
      changed_by_id: by,
      changed_at: this.clock.now(),
    };
    await table
      .insertInto('installation_settings')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
  }

  private em(): EntityManager {
    return this.orm.em.fork() as EntityManager;
  }
}
