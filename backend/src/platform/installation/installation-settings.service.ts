import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { sql } from 'kysely';
import { AuditService } from '../audit/audit.service.js';
import { Clock, SECOND } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { reencryptPassword } from '../config/mail-server.js';
import {
  settingKeys,
  storedKeys,
  toSettingValues,
  type SettingValues,
  type EffectiveSetting,
  type StoredKey,
} from '../config/settings.js';
import { query } from '../database/query.js';
import { inTransaction } from '../database/transaction.js';
import { JobNotifier } from '../jobs/job-notifier.js';
import type { InstallationSettingSchema } from './installation-setting.entity.js';

/** How the settings are looked after, in milliseconds. */
@Injectable()
export class SettingsTimings {
  /** How often they are looked for when no signal comes: it may be lost, and behind some poolers none arrives. */
  readonly pollInterval: number = 10 * SECOND;
}

/** What is to be set; null puts the default back, and what is left out stays. */
export type SettingChanges = Readonly<Partial<Record<StoredKey, string | null>>>;

/** Who sets it, as the audit log keeps it. */
interface SettingsActor {
  readonly actorId: number;
  readonly ipAddress: string | null;
}

/** What super admins have set in the page. Every process takes a change up within seconds, into its `AppConfig`. */
@Injectable()
export class InstallationSettingsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Settings');
  private timer: NodeJS.Timeout | undefined;
  /** Settles when the look under way has ended, well or not. */
  private refreshing: Promise<void> = Promise.resolve();
  private queued: Promise<void> | null = null;
  private isClosed = false;
  /** The last look failed, and that has been logged. */
  private isFailing = false;

  constructor(
    private readonly orm: MikroORM,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    private readonly jobNotifier: JobNotifier,
    private readonly timings: SettingsTimings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.timer = setInterval(() => void this.refreshOrLog(), this.timings.pollInterval).unref();
    // It is made while the application starts, which does not wait for it.
    void this.jobNotifier.listenForSettings(() => void this.refreshOrLog());
    await this.reencryptMailPassword();
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    await this.refreshing;
  }

  /** Everything that can be set, and what holds of it here. */
  listSettings(): EffectiveSetting[] {
    return settingKeys.map((key) => this.config.effectiveSetting(key));
  }

  /**
   * Sets some of them, all or none. From its answer on it holds in this process; others hear of it after the commit.
   * @param along what follows from a change, in its transaction
   */
  async changeSettings(
    changes: SettingChanges,
    actor: SettingsActor,
    onChanged?: (em: EntityManager) => Promise<void>,
  ): Promise<void> {
    await inTransaction(this.forkEntityManager(), async (em) => {
      const before = await this.readSettings(em);
      const keys = storedKeys.filter((key) => changes[key] !== undefined && changes[key] !== (before[key] ?? null));
      // In one order everywhere, so that two who set several do not wait for each other.
      for (const key of [...keys].sort()) await this.writeSetting(em, key, changes[key]!, actor.actorId);
      if (keys.length === 0) return;
      // Without the values: some are addresses of people.
      await this.audit.record(em, { type: 'installation.changed', ...actor, params: { settings: keys.join(', ') } });
      this.jobNotifier.notify(em, 'settings');
      await onChanged?.(em);
    });
    await this.refresh();
  }

  /** Takes a person out of what is kept of who set what, in the transaction of `em`. */
  async clearChangedBy(em: EntityManager, userId: number): Promise<void> {
    await query<typeof InstallationSettingSchema>(em)
      .updateTable('installation_settings')
      .set({ changed_by_id: null })
      .where('changed_by_id', '=', userId)
      .execute();
  }

  /** Reads what is set now. One look after the other, so that an older answer never comes last. */
  refresh(): Promise<void> {
    this.queued ??= this.refreshing.then(async () => {
      this.queued = null;
      this.config.applySettings(await this.readSettings(this.forkEntityManager()));
    });
    this.refreshing = this.queued.catch(() => undefined);
    return this.queued;
  }

  /** Keeps the password of the mail server under the newest secret, before an older one leaves the list. */
  async reencryptMailPassword(): Promise<void> {
    const em = this.forkEntityManager();
    const set = await this.readSettings(em);
    const renewed = reencryptPassword(this.config.keys, set);
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

  private async refreshOrLog(): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.refresh();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.warn({ err: error }, 'The settings cannot be read; what they were last holds.');
      this.isFailing = true;
    }
  }

  /** What is set, as the transaction of `em` sees it; `AppConfig` may be seconds behind. */
  async readSettings(em: EntityManager): Promise<SettingValues> {
    const rows = await query<typeof InstallationSettingSchema>(em)
      .selectFrom('installation_settings')
      .select(['key', 'value'])
      .execute();
    return toSettingValues(rows);
  }

  private async writeSetting(em: EntityManager, key: StoredKey, value: string | null, by: number): Promise<void> {
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

  private forkEntityManager(): EntityManager {
    return this.orm.em.fork() as EntityManager;
  }
}
