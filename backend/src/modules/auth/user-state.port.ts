import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { User } from './entities/user.entity.js';

/** What a module does when an account stops or starts to work, in the transaction in which that happens. */
export interface UserStateObserver {
  deactivated?(em: EntityManager, user: User): Promise<void>;
  activated?(em: EntityManager, user: User): Promise<void>;
}

/** Where modules whose work depends on an account (schedules, subscriptions) ask to be told. */
@Injectable()
export class UserStatePort {
  private readonly observers: UserStateObserver[] = [];

  /** Called once by each module when it starts. */
  register(observer: UserStateObserver): void {
    this.observers.push(observer);
  }

  async deactivated(em: EntityManager, user: User): Promise<void> {
    for (const observer of this.observers) await observer.deactivated?.(em, user);
  }

  async activated(em: EntityManager, user: User): Promise<void> {
    for (const observer of this.observers) await observer.activated?.(em, user);
  }
}
