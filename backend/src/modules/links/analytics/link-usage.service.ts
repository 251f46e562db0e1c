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

/** The link and origin of a join attempt. */
export interface JoinAttemptRecord {
  readonly zoneId: number;
  /** Null for the public link. */
  readonly linkId: number | null;
  /** Address of the person who wants to join, in lower case. */
  readonly email: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

/** The person who joined through an attempt. */
export interface JoinedUser {
  readonly userId: number;
  readonly wasNewUser: boolean;
}

const BATCH_SIZE = 5000;

/**
 * Records every attempt to join by a link. Attempts by the owner and zone admins, who try their own links, are not
 * recorded.
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
   * Records an attempt that awaits email verification or the owner's approval.
   * @returns its id; null if it is not recorded
   */
  async recordAttempt(
    em: EntityManager,
    attempt: JoinAttemptRecord,
    outcome: 'asked' | 'waiting',
  ): Promise<number | null> {
    return this.insertUsage(em, attempt, { outcome });
  }

  /** Records an attempt that immediately led to a membership, in the same transaction. */
  async recordJoin(em: EntityManager, attempt: JoinAttemptRecord, { userId, wasNewUser }: JoinedUser): Promise<void> {
    await this.insertUsage(em, attempt, {
      outcome: 'joined',
      user_id: userId,
      was_new_user: wasNewUser,
      joined_at: this.clock.now(),
    });
  }

  /**
   * Runs an attempt. If it is rejected, records the error code outside the failed transaction and rethrows the error.
   */
  async recordFailure<T>(attempt: JoinAttemptRecord, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) {
        const { code } = error;
        const { zoneId, linkId } = attempt;
        await recordFailure(this.logger, 'a rejected join', () => this.recordRejection(attempt, code), {
          zoneId,
          linkId,
        });
      }
      throw error;
    }
  }

  /** Works in batches, so that no row stays locked for long; the country is kept. */
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

  private async recordRejection(attempt: JoinAttemptRecord, outcome: string): Promise<void> {
    try {
      await this.insertUsage(this.em.fork(), attempt, { outcome });
    } catch (error) {
      // The link or its zone was deleted in the meantime, together with its records.
      if (!isForeignKeyViolation(error)) throw error;
    }
  }

  /** Records on an earlier attempt that the person has joined, in the transaction that created the membership. */
  async markJoined(em: EntityManager, id: number, { userId, wasNewUser }: JoinedUser): Promise<void> {
    await query<typeof LinkUsageSchema>(em)
      .updateTable('link_usages')
      .set({ outcome: 'joined', user_id: userId, was_new_user: wasNewUser, joined_at: this.clock.now() })
      .where('id', '=', id)
      .execute();
  }

  /**
   * Runs the completion of an earlier attempt. If it is rejected, records the error code on the attempt and rethrows
   * the error.
   */
  async recordFailureOf<T>(id: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) {
        const { code } = error;
        const record = () => this.markOutcome(this.em.fork(), id, code);
        await recordFailure(this.logger, 'a rejected join', record, { usageId: id });
      }
      throw error;
    }
  }

  /** Records on an earlier attempt the outcome other than a membership. */
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
    const visitorLocation = await this.geoIp.locate(ipAddress);
    const { id } = await query<typeof LinkUsageSchema>(em)
      .insertInto('link_usages')
      .values({
        zone_id: zoneId,
        link_id: linkId,
        ip_address: ipAddress,
        ...visitorLocation,
        ...result,
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
