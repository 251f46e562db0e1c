import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../clock/clock.js';
import { toSettingValues, type SettingValues } from '../config/settings.js';
import { query } from '../database/query.js';
import type { InstallationSettingSchema } from './installation-setting.entity.js';

const textJson = (value: string | undefined) => sql<unknown>`to_jsonb(${value}::text)`;

/** The stored settings, and how far the setup has progressed. */
@Injectable()
export class InstallationSettingRepository {
  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
  ) {}

  /** Returns the stored settings as seen by the transaction of `em`; `AppConfig` may be seconds behind. */
  async findSettings(em: EntityManager): Promise<SettingValues> {
    const rows = await query<typeof InstallationSettingSchema>(em)
      .selectFrom('installation_settings')
      .select(['key', 'value'])
      .execute();
    return toSettingValues(rows);
  }

  /** Returns the value of a key; null when it isn't stored. */
  async findValue(key: string): Promise<unknown> {
    const row = await query<typeof InstallationSettingSchema>(this.forkEntityManager())
      .selectFrom('installation_settings')
      .select('value')
      .where('key', '=', key)
      .executeTakeFirst();
    return row?.value ?? null;
  }

  async upsertValue(em: EntityManager, key: string, value: string, changedById: number): Promise<void> {
    const row = { value: textJson(value), changed_by_id: changedById, changed_at: this.clock.now() };
    await query<typeof InstallationSettingSchema>(em)
      .insertInto('installation_settings')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
  }

  /** Replaces a value, unless it is no longer `current`. */
  async updateValue(key: string, current: string, value: string): Promise<void> {
    await query<typeof InstallationSettingSchema>(this.forkEntityManager())
      .updateTable('installation_settings')
      .set({ value: textJson(value), changed_at: this.clock.now() })
      .where('key', '=', key)
      .where(sql<boolean>`value = ${textJson(current)}`)
      .execute();
  }

  /** Replaces the encryption of a value, unless it is no longer `current`. The time of the last change is kept. */
  async updateEncryption(key: string, current: string | undefined, encrypted: string): Promise<void> {
    await query<typeof InstallationSettingSchema>(this.forkEntityManager())
      .updateTable('installation_settings')
      .set({ value: textJson(encrypted) })
      .where('key', '=', key)
      .where(sql<boolean>`value = ${textJson(current)}`)
      .execute();
  }

  async deleteSetting(em: EntityManager, key: string): Promise<void> {
    await query<typeof InstallationSettingSchema>(em)
      .deleteFrom('installation_settings')
      .where('key', '=', key)
      .execute();
  }

  /** Deletes a key, unless its value is no longer `current`. */
  async deleteValue(key: string, current: string): Promise<void> {
    await query<typeof InstallationSettingSchema>(this.forkEntityManager())
      .deleteFrom('installation_settings')
      .where('key', '=', key)
      .where(sql<boolean>`value = ${textJson(current)}`)
      .execute();
  }

  /** Removes a user's id from the change history, in the transaction of `em`. */
  async clearChangedBy(em: EntityManager, userId: number): Promise<void> {
    await query<typeof InstallationSettingSchema>(em)
      .updateTable('installation_settings')
      .set({ changed_by_id: null })
      .where('changed_by_id', '=', userId)
      .execute();
  }

  private forkEntityManager(): EntityManager {
    return this.orm.em.fork() as EntityManager;
  }
}
