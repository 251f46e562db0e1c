import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { User } from '../entities/user.entity.js';

/** Users. */
@Injectable()
export class UserRepository {
  constructor(private readonly em: EntityManager) {}

  /** Returns the user as stored now; null for a deactivated or deleted account. */
  findActiveUser(id: number): Promise<User | null> {
    return this.em.fork().findOne(User, { id, deactivatedAt: null, erasedAt: null });
  }

  /** Returns the user as stored now, also if deactivated; null for a deleted account. */
  findUser(id: number): Promise<User | null> {
    return this.em.fork().findOne(User, { id, erasedAt: null });
  }

  /** Returns the user as the transaction sees it, for changes in its unit of work. Throws for an unknown id. */
  getUserIn(em: EntityManager, id: number): Promise<User> {
    return em.findOneOrFail(User, { id });
  }

  /** Returns whether the account exists and isn't deleted. */
  async exists(em: EntityManager, id: number): Promise<boolean> {
    return (await em.count(User, { id, erasedAt: null })) > 0;
  }

  /** Returns the user as stored now. Throws for an unknown id: callers have it from a session or a row. */
  getUser(id: number): Promise<User> {
    return this.em.fork().findOneOrFail(User, { id });
  }
}
