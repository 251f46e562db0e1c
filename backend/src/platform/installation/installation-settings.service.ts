import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AuditRepository } from '../audit/audit.repository.js';
import { SECOND } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { reencryptPassword } from '../config/mail-server.js';
import { settingKeys, storedKeys, type EffectiveSetting, type StoredKey } from '../config/settings.js';
import { inTransaction } from '../database/transaction.js';
import { JobNotifier } from '../jobs/job-notifier.js';
import { InstallationSettingRepository } from './installation-setting.repository.js';

/** Timing of settings, in milliseconds. */
@Injectable()
export class SettingsTimings {
  /**
   * How often settings are polled, because a notification may be lost, and behind some connection poolers none arrives.
   */
  readonly pollInterval: number = 10 * SECOND;
}

/** Values to set; null restores the default, and omitted keys are unchanged. */
export type SettingChanges = Readonly<Partial<Record<StoredKey, string | null>>>;

/** Who makes the change, for the audit log. */
interface SettingsActor {
  readonly actorId: number;
  readonly ipAddress: string | null;
}

/** Settings that super admins change in the app. Every process applies changes to its `AppConfig` within seconds. */
@Injectable()
export class InstallationSettingsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Settings');
  private timer: NodeJS.Timeout | undefined;
  /** Settles when the current refresh has ended, successfully or not. */
  private refreshing: Promise<void> = Promise.resolve();
  private queued: Promise<void> | null = null;
  private isClosed = false;
  /** Whether the current failure has been logged. */
  private isFailing = false;

  constructor(
    private readonly orm: MikroORM,
    private readonly settings: InstallationSettingRepository,
    private readonly config: AppConfig,
    private readonly audit: AuditRepository,
    private readonly jobNotifier: JobNotifier,
    private readonly timings: SettingsTimings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.timer = setInterval(() => void this.refreshOrLog(), this.timings.pollInterval).unref();
    // Not awaited: the connection is opened while the application starts.
    void this.jobNotifier.listenForSettings(() => void this.refreshOrLog());
    await this.reencryptMailPassword();
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    await this.refreshing;
  }

  /** Returns all settings with their effective values in this process. */
  listSettings(): EffectiveSetting[] {
    return settingKeys.map((key) => this.config.effectiveSetting(key));
  }

  /**
   * Changes settings, all or none. Takes effect in this process before it resolves; others are notified after the
   * commit.
   * @param onChanged follow-up in the same transaction
   */
  async changeSettings(
    changes: SettingChanges,
    actor: SettingsActor,
    onChanged?: (em: EntityManager) => Promise<void>,
  ): Promise<void> {
    await inTransaction(this.forkEntityManager(), async (em) => {
      const before = await this.settings.findSettings(em);
      const keys = storedKeys.filter((key) => changes[key] !== undefined && changes[key] !== (before[key] ?? null));
      // In a fixed order, so that concurrent changes don't deadlock.
      for (const key of [...keys].sort()) await this.writeSetting(em, key, changes[key]!, actor.actorId);
      if (keys.length === 0) return;
      // Without the values, because some are email addresses.
      await this.audit.record(em, { type: 'installation.changed', ...actor, params: { settings: keys.join(', ') } });
      this.jobNotifier.notify(em, 'settings');
      await onChanged?.(em);
    });
    await this.refresh();
  }

  /** Reloads the settings. Reloads run one after the other, so that an older result never overwrites a newer one. */
  refresh(): Promise<void> {
    this.queued ??= this.refreshing.then(async () => {
      this.queued = null;
      this.config.applySettings(await this.settings.findSettings(this.forkEntityManager()));
    });
    this.refreshing = this.queued.catch(() => undefined);
    return this.queued;
  }

  /** Re-encrypts the mail server's password with the newest secret, before an older one is removed from the list. */
  async reencryptMailPassword(): Promise<void> {
    const set = await this.settings.findSettings(this.forkEntityManager());
    const renewed = reencryptPassword(this.config.keys, set);
    if (renewed === null) return;
    await this.settings.updateEncryption('mailPassword', set.mailPassword, renewed);
    await this.refresh();
  }

  private async refreshOrLog(): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.refresh();
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.warn({ err: error }, "Couldn't read the settings; using the last known values.");
      this.isFailing = true;
    }
  }

  private writeSetting(em: EntityManager, key: StoredKey, value: string | null, by: number): Promise<void> {
    if (value === null) return this.settings.deleteSetting(em, key);
    return this.settings.upsertValue(em, key, value, by);
  }

  private forkEntityManager(): EntityManager {
    return this.orm.em.fork() as EntityManager;
  }
}
