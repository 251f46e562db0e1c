import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { violatesForeignKey } from '../../platform/database/unique-violation.js';
import { AppError } from '../../platform/errors/app-error.js';
import { LinkUsageSchema } from './entities/link-usage.entity.js';
import { GeoIp } from './geo-ip.service.js';

/** By which link, and from where, somebody tries to join. */
export interface Try {
  readonly zoneId: number;
  /** Null: the public link. */
  readonly linkId: number | null;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

/** Who joined by a try. */
export interface Joined {
  readonly userId: number;
  readonly wasNewUser: boolean;
}

/** Keeps a record of every try to join by a link. */
@Injectable()
export class LinkUsages {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly places: GeoIp,
  ) {}

  /** Records a try that wants proof of the address, or that waits for the owner; gives its id. */
  async open(em: EntityManager, attempt: Try, outcome: 'asked' | 'waiting'): Promise<number> {
    return this.insert(em, attempt, { outcome });
  }

  /** Records a try that led to a membership at once, in the transaction that made it. */
  async joined(em: EntityManager, attempt: Try, { userId, wasNewUser }: Joined): Promise<void> {
    await this.insert(em, attempt, {
      ...{ outcome: 'joined', user_id: userId, was_new_user: wasNewUser },
      joined_at: this.clock.now(),
    });
  }

  /** Runs a try; a refusal of it is recorded by its code, apart from the transaction that failed, and thrown on. */
  async watch<T>(attempt: Try, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) await this.refused(attempt, error.code);
      throw error;
    }
  }

  private async refused(attempt: Try, outcome: string): Promise<void> {
    try {
      await this.insert(this.em.fork(), attempt, { outcome });
    } catch (error) {
      // The link or its zone was deleted meanwhile, and its records with it.
      if (!violatesForeignKey(error)) throw error;
    }
  }

  /** Notes on an earlier try that the person has joined by it, in the transaction that made the membership. */
  async completed(em: EntityManager, id: number, { userId, wasNewUser }: Joined): Promise<void> {
    await query<typeof LinkUsageSchema>(em)
      .updateTable('link_usages')
      .set({ outcome: 'joined', user_id: userId, was_new_user: wasNewUser, joined_at: this.clock.now() })
      .where('id', '=', id)
      .execute();
  }

  /** Runs what an earlier try asked for; a refusal is noted on its record, and thrown on. */
  async watchLater<T>(id: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) await this.ended(this.em.fork(), id, error.code);
      throw error;
    }
  }

  /** Notes on an earlier try what came of it instead of a membership. */
  async ended(em: EntityManager, id: number, outcome: string): Promise<void> {
    await query<typeof LinkUsageSchema>(em)
      .updateTable('link_usages')
      .set({ outcome })
      .where('id', '=', id)
      .where('joined_at', 'is', null)
      .execute();
  }

  private async insert(
    em: EntityManager,
    { zoneId, linkId, ipAddress, userAgent }: Try,
    result: { outcome: string; user_id?: number; was_new_user?: boolean; joined_at?: Date },
  ): Promise<number> {
    const place = await this.places.placeOf(ipAddress);
    const { id } = await query<typeof LinkUsageSchema>(em)
      .insertInto('link_usages')
      .values({
        ...{ zone_id: zoneId, link_id: linkId, ip_address: ipAddress, ...place, ...result },
        user_agent: userAgent?.slice(0, 300) ?? null,
        attempted_at: this.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return Number(id);
  }
}
