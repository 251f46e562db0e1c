import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import type { User } from '../auth/entities/user.entity.js';
import { UserStatePort, type UserStateObserver } from '../auth/user-state.port.js';
import { alignCollection } from './align-collection.job.js';

/** Whoever is shut out does not pay meanwhile. */
@Injectable()
export class BillingUserState implements UserStateObserver, OnModuleInit {
  constructor(
    private readonly port: UserStatePort,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  deactivated(em: EntityManager, user: User): Promise<void> {
    return this.align(em, user);
  }

  activated(em: EntityManager, user: User): Promise<void> {
    return this.align(em, user);
  }

  private async align(em: EntityManager, { id, stripeCustomerId }: User): Promise<void> {
    if (stripeCustomerId) await this.jobs.enqueue(em, alignCollection, { userId: id });
  }
}
