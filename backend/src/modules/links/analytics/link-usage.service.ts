import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { isForeignKeyViolation } from '../../../platform/database/constraint-violations.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { recordFailure } from '../../../platform/errors/record-failure.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { ZoneMemberSchema } from '../../zones/entities/zone-member.entity.js';
import { LinkUsageSchema } from '../entities/link-usage.entity.js';
import { eraseLinkVisitors } from '../links.jobs.js';
import { GeoIpService } from '../../../platform/http/networks/geo-ip.service.js';

/** By which link, and from where, somebody tries to join. */
export interface JoinAttemptRecord {
  readonly zoneId: number;
  /** Null: the public link. */
  readonly linkId: number | null;
  /** Who wants to join, in lower case. */
  readonly email: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

/** Who joined by a try. */
export interface JoinedUser {
  readonly userId: number;
  readonly wasNewUser: boolean;
}

const BATCH_SIZE = 5000;

/**
 * Keeps a record of every try to join by a link. The owner and the zone admins who try their own link count nowhere: theirs
 * is not recorded.
 */
@Injectable()
export class LinkUsageService {
  private readonly logger = new Logger('Links');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly geoIp: GeoIpService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Records a try that wants proof of the address, or that waits for the owner.
   * @returns its id; null where it is not recorded
   */
  async recordAttempt(
    em: EntityManager,
    attempt: JoinAttemptRecord,
    outcome: 'asked' | 'waiting',
  ): Promise<number | null> {
    return this.insertUsage(em, attempt, { outcome });
  }

  /** Records a try that led to a membership at once, in the transaction that made it. */
  async recordJoin(em: EntityManager, attempt: JoinAttemptRecord, { userId, wasNewUser }: JoinedUser): Promise<void> {
    await this.insertUsage(em, attempt, {
      ...{ outcome: 'joined', user_id: userId, was_new_user: wasNewUser },
      joined_at: this.clock.now(),
    });
  }

  /** Runs a try; a refusal of it is recorded by its code, apart from the transaction that failed, and thrown on. */
  async recordFailure<T>(attempt: JoinAttemptRecord, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) {
        const { code } = error;
        const { zoneId, linkId } = attempt;
        await recordFailure(this.logger, 'a refused join', () => this.recordRefusal(attempt, code), { zoneId, linkId });
      }
      throw error;
    }
  }

  /** In batches, so that no row stays locked for long; the country stays. */
  @OnJob(eraseLinkVisitors)
  async eraseVisitorDetails(_payload: object, { signal }: JobContext): Promise<void> {
    const days = this.config.retention.ips;
    if (days === 0) return;
    const end = addMilliseconds(this.clock.now(), -days * DAY);
    for (let full = true; full;) {
      signal.throwIfAborted();
      const old = query<typeof LinkUsageSchema>(this.em)
        .selectFrom('link_usages')
        .select('id')
        .where('attempted_at', '<=', end)
        .where('ip_address', 'is not', null)
        .limit(BATCH_SIZE);
      const { numUpdatedRows } = await query<typeof LinkUsageSchema>(this.em)
        .updateTable('link_usages')
        .set({ ip_address: null, user_agent: null })
        .where('id', 'in', old)
        .executeTakeFirst();
      full = Number(numUpdatedRows) === BATCH_SIZE;
    }
  }

  private async recordRefusal(attempt: JoinAttemptRecord, outcome: string): Promise<void> {
    try {
      await this.insertUsage(this.em.fork(), attempt, { outcome });
    } catch (error) {
      // The link or its zone was deleted meanwhile, and its records with it.
      if (!isForeignKeyViolation(error)) throw error;
    }
  }

  /** Notes on an earlier try that the person has joined by it, in the transaction that made the membership. */
  async markJoined(em: EntityManager, id: number, { userId, wasNewUser }: JoinedUser): Promise<void> {
    await query<typeof LinkUsageSchema>(em)
      .updateTable('link_usages')
      .set({ outcome: 'joined', user_id: userId, was_new_user: wasNewUser, joined_at: this.clock.now() })
      .where('id', '=', id)
      .execute();
  }

  /** Runs what an earlier try asked for; a refusal is noted on its record, and thrown on. */
  async recordFailureOf<T>(id: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) {
        const { code } = error;
        const record = () => this.markOutcome(this.em.fork(), id, code);
        await recordFailure(this.logger, 'a refused join', record, { usageId: id });
      }
      throw error;
    }
  }

  /** Notes on an earlier try what came of it instead of a membership. */
  async markOutcome(em: EntityManager, id: number, outcome: string): Promise<void> {
    await query<typeof LinkUsageSchema>(em)
      .updateTable('link_usages')
      .set({ outcome })
      .where('id', '=', id)
      .where('joined_at', 'is', null)
      .execute();
  }

  private async insertUsage(
    em: EntityManager,
    { zoneId, linkId, email, ipAddress, userAgent }: JoinAttemptRecord,
    result: { outcome: string; user_id?: number; was_new_user?: boolean; joined_at?: Date },
  ): Promise<number | null> {
    if (await this.isZoneManager(em, zoneId, email)) return null;
    const place = await this.geoIp.locate(ipAddress);
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

  private async isZoneManager(em: EntityManager, zoneId: number, email: string): Promise<boolean> {
    const member = await query<typeof ZoneMemberSchema>(em)
      .selectFrom('zone_members')
      .select('role')
      .where('zone_id', '=', zoneId)
      .where('email', '=', email)
      .where('role', 'in', ['owner', 'admin'])
      .executeTakeFirst();
    return member !== undefined;
  }
}
