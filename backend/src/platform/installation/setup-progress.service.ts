import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { freezeList } from '../constants/freeze-list.js';
import { Clock } from '../clock/clock.js';
import { query } from '../database/query.js';
import type { InstallationSettingSchema } from './installation-setting.entity.js';

/** What the setup asks after the account, in its order. */
export const setupSteps = freezeList(['purpose', 'mail']);
export type SetupStep = (typeof setupSteps)[number];

/** The row among the settings; it is none of them, and goes once the setup is through. */
const SETTING_KEY = 'setupStep';

const isSetupStep = (value: unknown): value is SetupStep => (setupSteps as readonly unknown[]).includes(value);
const stepJson = (step: SetupStep) => sql<unknown>`to_jsonb(${step}::text)`;

/** How far the setup of the installation has come, so that it goes on there after a reload. */
@Injectable()
export class SetupProgressService {
  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
  ) {}

  /** Has the steps after the account asked, in the transaction that makes it. */
  async start(em: EntityManager, by: number): Promise<void> {
    const row = { value: stepJson(setupSteps[0]), changed_by_id: by, changed_at: this.clock.now() };
    await query<typeof InstallationSettingSchema>(em)
      .insertInto('installation_settings')
      .values({ key: SETTING_KEY, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
  }

  /** What is asked next; null where nothing is. */
  async currentStep(): Promise<SetupStep | null> {
    const row = await query<typeof InstallationSettingSchema>(this.forkEntityManager())
      .selectFrom('installation_settings')
      .select('value')
      .where('key', '=', SETTING_KEY)
      .executeTakeFirst();
    return isSetupStep(row?.value) ? row.value : null;
  }

  /** Goes on after a step, answered or left out. Nothing where it is another one's turn, or nobody's. */
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
