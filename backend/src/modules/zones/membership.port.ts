import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { JoinMethod } from './entities/zone-member.entity.js';

/** The zone in which somebody comes or goes. */
export interface MembershipZone {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
}

/** People who came in together, by one way. */
export interface Joined {
  readonly zone: MembershipZone;
  readonly userIds: readonly number[];
  readonly method: JoinMethod;
}

/** Somebody who is in the zone no more: of their own will, or because the owner took them out. */
export interface Left {
  readonly zone: MembershipZone;
  readonly userId: number;
  readonly email: string;
}

/**
 * What a module does when people come into zones or go, in the transaction of it: revoke what would bring somebody
 * back, note that a mail of welcome is due. It must be short: the counts of the zone are locked until the commit after it.
 */
export interface MembershipObserver {
  joined?(em: EntityManager, event: Joined): Promise<void>;
  left?(em: EntityManager, event: Left): Promise<void>;
}

/** Where modules ask to be told of people who come and go. */
@Injectable()
export class MembershipPort {
  private readonly observers: MembershipObserver[] = [];

  /** Called once by each module when it starts. */
  register(observer: MembershipObserver): void {
    this.observers.push(observer);
  }

  async joined(em: EntityManager, event: Joined): Promise<void> {
    for (const observer of this.observers) await observer.joined?.(em, event);
  }

  async left(em: EntityManager, event: Left): Promise<void> {
    for (const observer of this.observers) await observer.left?.(em, event);
  }
}
