import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inBatches } from '../../../platform/database/in-batches.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { InstallationSettings } from '../../../platform/installation/installation-settings.service.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { eachOnItsOwn } from '../../../platform/jobs/running/each-on-its-own.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { monthOf } from '../plan.policy.js';
import { PlanService } from '../plan.service.js';
import { followDefault } from '../plans.jobs.js';
import type { UsageSchema } from '../usage.entity.js';
import { DefaultPlanSchema } from './default-plan.entity.js';
import { changeDefault } from './default-turn.js';

type Tables = typeof DefaultPlanSchema | typeof UsageSchema | typeof UserSchema;

/** Which plan everybody has who has no larger one, and that what is enforced follows it. */
@Injectable()
export class DefaultPlanService implements OnApplicationBootstrap {
  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly settings: InstallationSettings,
    private readonly plans: PlanService,
    private readonly jobs: Jobs,
  ) {}

  /** The variable may say something else than at the last start, and a backup brings settings of its own. */
  async onApplicationBootstrap(): Promise<void> {
    const em = this.em();
    // Nearly every start finds it so, and waits for nobody.
    if ((await this.wanted(em)) !== (await this.present(em))) await inTransaction(em, (inner) => this.settle(inner));
    await this.freeSuperAdmins();
  }

  /** Brings the default to what variable and settings say, in the transaction that has changed these. */
  async settle(em: EntityManager): Promise<void> {
    await changeDefault(em);
    // Read now: another change may have been committed while this one waited for its turn.
    const plan = await this.wanted(em);
    if (plan === (await this.present(em))) return;
    const change = { plan, changed_at: this.clock.now() };
    await query<Tables>(em)
      .insertInto('default_plan')
      .values({ only: true, ...change })
      .onConflict((conflict) => conflict.column('only').doUpdateSet(change))
      .execute();
    await this.jobs.enqueue(em, followDefault, {});
  }

  /** Only those for whom a limit is written down: that of all others is read when it is first needed. */
  @OnJob(followDefault)
  async followAll(_payload: object, { signal }: JobContext): Promise<void> {
    const owners = inBatches<Owner>((last, limit) => this.owners(last, limit));
    const follow = ({ id }: Owner) =>
      inTransaction(this.em(), (em) => this.plans.follow(em, Number(id), { why: 'default' }));
    await eachOnItsOwn(owners, follow, signal, ({ id }) => ({ ownerId: id }));
  }

  /** Takes the limits from super admins who got the right by a variable, or in a version that limited them. */
  private async freeSuperAdmins(): Promise<void> {
    const limited = await query<Tables>(this.em())
      .selectFrom('usage as l')
      .innerJoin('users as u', 'u.id', 'l.owner_id')
      .select('u.id')
      .distinct()
      .where('u.is_super_admin', '=', true)
      .where('u.erased_at', 'is', null)
      .where('l.allowed', 'is not', null)
      .where(({ or, eb }) => or([eb('l.period', '=', ''), eb('l.period', '=', monthOf(this.clock.now()))]))
      .execute();
    for (const { id } of limited) await inTransaction(this.em(), (em) => this.plans.follow(em, id, { why: 'role' }));
  }

  private owners(last: Owner | null, limit: number): Promise<Owner[]> {
    return query<Tables>(this.em())
      .selectFrom('users')
      .select('id')
      .where('id', '>', last?.id ?? 0)
      .where('erased_at', 'is', null)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('usage').select('metric').whereRef('usage.owner_id', '=', 'users.id')),
      )
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  private async wanted(em: EntityManager): Promise<string> {
    return this.config.defaultPlanWith(await this.settings.read(em));
  }

  private async present(em: EntityManager): Promise<string> {
    const row = await query<Tables>(em).selectFrom('default_plan').select('plan').executeTakeFirst();
    return row?.plan ?? 'free';
  }

  private em(): EntityManager {
    return this.orm.em.fork() as EntityManager;
  }
}

interface Owner {
  readonly id: number;
}
