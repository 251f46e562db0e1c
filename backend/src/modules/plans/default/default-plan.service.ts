import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { readInBatches } from '../../../platform/database/in-batches.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { InstallationSettingRepository } from '../../../platform/installation/installation-setting.repository.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { toMonth } from '../plan.policy.js';
import { PlanRepository } from '../plan.repository.js';
import { PlanService } from '../plan.service.js';
import { applyDefaultPlan } from '../plans.jobs.js';
import { UsageRepository } from '../usage.repository.js';

/** Manages the default plan of the installation and applies changes of it to all owners. */
@Injectable()
export class DefaultPlanService implements OnApplicationBootstrap {
  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly settings: InstallationSettingRepository,
    private readonly planRepository: PlanRepository,
    private readonly usage: UsageRepository,
    private readonly plans: PlanService,
    private readonly jobs: JobsService,
  ) {}

  /** The environment variable may differ from the last start, and a restored backup brings its own settings. */
  async onApplicationBootstrap(): Promise<void> {
    const em = this.forkEntityManager();
    // Unchanged at nearly every start, so this check takes no lock.
    if ((await this.getConfiguredPlan(em)) !== (await this.planRepository.getDefaultPlan(em)))
      await inTransaction(em, (inner) => this.applyConfiguredPlan(inner));
    await this.removeSuperAdminLimits();
  }

  /** Updates the default plan from variable and settings, in the transaction that has changed these. */
  async applyConfiguredPlan(em: EntityManager): Promise<void> {
    await this.planRepository.lockDefaultPlanExclusive(em);
    // Read under the lock: another change may have been committed while this one waited.
    const plan = await this.getConfiguredPlan(em);
    if (plan === (await this.planRepository.getDefaultPlan(em))) return;
    await this.planRepository.setDefaultPlan(em, plan);
    await this.jobs.enqueue(em, applyDefaultPlan, {});
  }

  /** Only owners with stored limits. For all others the limit is read when it is first needed. */
  @OnJob(applyDefaultPlan)
  async syncAllOwners(_payload: object, { signal }: JobContext): Promise<void> {
    const owners = readInBatches<OwnerId>((last, limit) => this.usage.listOwners(last?.id ?? 0, limit));
    const syncOwner = ({ id }: OwnerId) =>
      inTransaction(this.forkEntityManager(), (em) => this.plans.syncOwnerPlan(em, Number(id), { why: 'default' }));
    await forEachIsolated(owners, syncOwner, signal, ({ id }) => ({ ownerId: id }));
  }

  /** Removes the limits of super admins who became one by a variable, or in a version that limited them. */
  private async removeSuperAdminLimits(): Promise<void> {
    for (const id of await this.usage.findLimitedSuperAdmins(toMonth(this.clock.now())))
      await inTransaction(this.forkEntityManager(), (em) => this.plans.syncOwnerPlan(em, id, { why: 'role' }));
  }

  private async getConfiguredPlan(em: EntityManager): Promise<string> {
    return this.config.resolveDefaultPlan(await this.settings.findSettings(em));
  }

  private forkEntityManager(): EntityManager {
    return this.orm.em.fork() as EntityManager;
  }
}

interface OwnerId {
  readonly id: number;
}
