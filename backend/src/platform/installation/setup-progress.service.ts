import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { catalogue } from '../catalogue/catalogue.js';
import { Clock } from '../clock/clock.js';
import { query } from '../database/query.js';
import type { InstallationSettingSchema } from './installation-setting.entity.js';

/** What the setup asks after the account, in its order. */
export const setupSteps = catalogue(['purpose', 'mail']);
export type SetupStep = (typeof setupSteps)[number];

/** The row among the settings; it is none of them, and goes once the setup is through. */
const KEY = 'setupStep';

const isStep = (value: unknown): value is SetupStep => (setupSteps as readonly unknown[]).includes(value);
const json = (step: SetupStep) => sql<unknown>`to_jsonb(${step}::text)`;

/** How far the setup of the installation has come, so that it goes on there after a reload. */
@Injectable()
export class SetupProgress {
  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
  ) {}

  /** Has the steps after the account asked, in the transaction that makes it. */
  async begin(em: EntityManager, by: number): Promise<void> {
    const row = { value: json(setupSteps[0]), changed_by_id: by, changed_at: this.clock.now() };
    await query<typeof InstallationSettingSchema>(em)
      .insertInto('installation_settings')
      .values({ key: KEY, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
  }

  /** What is asked next; null where nothing is. */
  async step(): Promise<SetupStep | null> {
    const row = await query<typeof InstallationSettingSchema>(this.em())
      .selectFrom('installation_settings')
      .select('value')
      .where('key', '=', KEY)
      .executeTakeFirst();
    return isStep(row?.value) ? row.value : null;
  }

  /** Goes on after a step, answered or left out. Nothing where it is another one's turn, or nobody's. */
  async finish(step: SetupStep): Promise<void> {
    const next = setupSteps[setupSteps.indexOf(step) + 1];
    const table = query<typeof InstallationSettingSchema>(this.em());
    if (next === undefined) {
      await table
        .deleteFrom('installation_settings')
        .where('key', '=', KEY)
        .where(sql<boolean>`value = ${json(step)}`)
        .execute();
      return;
    }
    await table
      .updateTable('installation_settings')
      .set({ value: json(next), changed_at: this.clock.now() })
      .where('key', '=', KEY)
      .where(sql<boolean>`value = ${json(step)}`)
      .execute();
  }

  private em(): EntityManager {
    return this.orm.em.fork() as EntityManager;
  }
}
