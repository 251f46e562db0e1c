import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { freezeList } from '../constants/freeze-list.js';
import { Clock } from '../clock/clock.js';
import { query } from '../database/query.js';
import type { InstallationSettingSchema } from './installation-setting.entity.js';

/** Setup steps after the account is created, in order. */
export const setupSteps = freezeList(['purpose', 'mail']);
export type SetupStep = (typeof setupSteps)[number];

/** Key in the settings table. It isn't a setting, and is deleted when the setup is finished. */
const SETTING_KEY = 'setupStep';

const isSetupStep = (value: unknown): value is SetupStep => (setupSteps as readonly unknown[]).includes(value);
const stepJson = (step: SetupStep) => sql<unknown>`to_jsonb(${step}::text)`;

/** Stores how far the setup has progressed, so that it continues there after a reload. */
@Injectable()
export class SetupProgressService {
  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
  ) {}

  /** Starts the steps after the account, in the transaction that creates it. */
  async start(em: EntityManager, by: number): Promise<void> {
    const row = { value: stepJson(setupSteps[0]), changed_by_id: by, changed_at: this.clock.now() };
    await query<typeof InstallationSettingSchema>(em)
      .insertInto('installation_settings')
      .values({ key: SETTING_KEY, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
  }

  /** Returns the current step; null when the setup is finished. */
  async currentStep(): Promise<SetupStep | null> {
    const row = await query<typeof InstallationSettingSchema>(this.forkEntityManager())
      .selectFrom('installation_settings')
      .select('value')
      .where('key', '=', SETTING_KEY)
      .executeTakeFirst();
    return isSetupStep(row?.value) ? row.value : null;
  }

  /** Advances after a step was completed or skipped. Does nothing when another step is current, or none. */
  async completeStep(step: SetupStep): Promise<void> {
    const next = setupSteps[setupSteps.indexOf(step) + 1];
    const table = query<typeof InstallationSettingSchema>(this.forkEntityManager());
    if (next === undefined) {
      await table
        .deleteFrom('installation_settings')
        .where('key', '=', SETTING_KEY)
        .where(sql<boolean>`value = ${stepJson(step)}`)
        .execute();
      return;
    }
    await table
      .updateTable('installation_settings')
      .set({ value: stepJson(next), changed_at: this.clock.now() })
      .where('key', '=', SETTING_KEY)
      .where(sql<boolean>`value = ${stepJson(step)}`)
      .execute();
  }

  private forkEntityManager(): EntityManager {
    return this.orm.em.fork() as EntityManager;
  }
}
