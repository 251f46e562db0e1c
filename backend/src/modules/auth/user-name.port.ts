import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { User } from './entities/user.entity.js';

export type NameObserver = (em: EntityManager, user: User) => Promise<void>;

/** Where modules that keep a copy of people's names (for sorting and searching) ask to be told of a change. */
@Injectable()
export class UserNamePort {
  private readonly observers: NameObserver[] = [];

  /** Called once by each module when it starts. */
  register(observer: NameObserver): void {
    this.observers.push(observer);
  }

  /** Lets every copy follow, in the transaction that changes the name. */
  async changed(em: EntityManager, user: User): Promise<void> {
    for (const observe of this.observers) await observe(em, user);
  }
}
