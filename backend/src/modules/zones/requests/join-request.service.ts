import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { countRows, LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import type { DecidedJoinRequestDto, JoinRequestDto } from '../dto/member.dto.js';
import { JoinRequestSchema } from '../entities/join-request.entity.js';
import { Zone } from '../entities/zone.entity.js';
import { MembershipService, type AddMemberOptions } from '../joining/membership.service.js';
import {
  purgeDeclinedRequests,
  notifyJoinRequestApproved,
  notifyJoinRequestDeclined,
  notifyJoinRequests,
} from '../zones.jobs.js';
import type { AccessibleZone } from '../access/zone-access.service.js';
import { ZoneCapacityService } from '../zone/zone-capacity.service.js';
import { zoneErrors } from '../zones.errors.js';

/** How long after a decline the person can't ask again. */
export const DECLINE_PERIOD = 30 * DAY;

type Tables = typeof JoinRequestSchema | typeof UserSchema;

/** Details of a request besides the person. */
export interface JoinRequestOptions {
  /** The temporary link that grants days of membership, or null. */
  readonly link: { readonly id: number; readonly days: number } | null;
  /** A request by a blocked person is declined from the start and shown only to that person. */
  readonly isBlocked: boolean;
}

const BATCH_SIZE = 1000;

/** Manages requests to join zones without automatic admission. The owner or a zone admin decides. */
@Injectable()
export class JoinRequestService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: JobsService,
    private readonly users: UserRepository,
    private readonly membership: MembershipService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly events: EventBus,
  ) {}

  /**
   * Records a request of a person with a verified address, in the caller's transaction. Asking again keeps the first
   * request's position. People who were declined within 30 days, or are blocked, get the same response as those who are
   * waiting, so that they can't tell the difference.
   */
  async requestToJoin(
    em: EntityManager,
    options: AddMemberOptions,
    { link, isBlocked }: JoinRequestOptions = { link: null, isBlocked: false },
  ): Promise<'waiting' | 'already-member'> {
    const { zone, user, method, consent } = options;
    if (await this.membership.isMember(em, zone.id, user.id)) return 'already-member';
    const now = this.clock.now();
    await this.deleteExpiredDecline(em, zone.id, user.id);
    const consentFields = { consent_text: consent?.text ?? null, ip_address: consent?.ipAddress ?? null, method };
    const linkFields = { membership_days: link?.days ?? null, link_id: link?.id ?? null };
    const requestFields = { created_at: now, is_notice_due: !isBlocked, declined_at: isBlocked ? now : null };
    const inserted = await query<Tables>(em)
      .insertInto('join_requests')
      .values({ zone_id: zone.id, user_id: user.id, ...consentFields, ...linkFields, ...requestFields })
      .onConflict((conflict) =>
        conflict
          .columns(['zone_id', 'user_id'])
          .doUpdateSet({ ...consentFields, ...linkFields })
          .where('join_requests.declined_at', 'is', null),
      )
      .returning(sql<boolean>`xmax = 0`.as('isNew'))
      .executeTakeFirst();
    if (inserted?.isNew && !isBlocked) await this.jobs.enqueue(em, notifyJoinRequests, { zoneId: zone.id });
    return 'waiting';
  }

  /**
   * Deletes declined requests that may be repeated, in batches. Those of blocked people are kept like pending ones;
   * otherwise the person's data export would reveal the block.
   */
  @OnJob(purgeDeclinedRequests)
  async purgeDeclined(_payload: object, { signal }: JobContext): Promise<void> {
    for (let full = true; full && !signal.aborted;) {
      const { rows } = await sql`
        delete from join_requests where id in (
          select r.id from join_requests r where r.declined_at <= ${addMilliseconds(this.clock.now(), -DECLINE_PERIOD)}
            and not exists (select from zone_blocks b where b.zone_id = r.zone_id and b.user_id = r.user_id)
          order by r.id limit ${BATCH_SIZE} for update of r skip locked
        ) returning id`.execute(query<Tables>(this.em));
      full = rows.length === BATCH_SIZE;
    }
  }

  private async deleteExpiredDecline(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await query<Tables>(em)
      .deleteFrom('join_requests')
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', userId)
      .where('declined_at', '<=', addMilliseconds(this.clock.now(), -DECLINE_PERIOD))
      .execute();
  }

  /** Lists open requests, oldest first. */
  async listOpen(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<JoinRequestDto>> {
    let rows = query<Tables>(this.em)
      .selectFrom('join_requests as r')
      .innerJoin('users as u', 'u.id', 'r.user_id')
      .select(['r.id as id', 'u.id as userId', 'u.email as email', 'r.created_at as createdAt'])
      .select(['u.first_name as firstName', 'u.last_name as lastName', 'u.username as username'])
      .select(sql<boolean>`r.consent_text is not null`.as('hasConsented'))
      .where('r.zone_id', '=', zoneId)
      .where('r.declined_at', 'is', null)
      .orderBy('r.id')
      .limit(limit + 1);
    if (cursor) rows = rows.where('r.id', '>', decodeCursor(cursor, ['bigint'])[0]);
    const open = query<Tables>(this.em)
      .selectFrom('join_requests')
      .where('zone_id', '=', zoneId)
      .where('declined_at', 'is', null);
    return toPage(await rows.execute(), limit, await countRows(open), ({ id }) => [id]);
  }

  /**
   * Approves a request and notifies the person by email.
   * @throws JOIN_REQUEST_NOT_FOUND, also for the second of two concurrent decisions
   * @throws PLAN_LIMIT (for a zone admin ZONE_FULL)
   */
  approve(zone: AccessibleZone, requestId: number, deciderId: number): Promise<DecidedJoinRequestDto> {
    const work = () =>
      inTransaction(this.em, async (em): Promise<DecidedJoinRequestDto> => {
        return { id: requestId, userId: await this.addRequester(em, zone, requestId, deciderId), status: 'approved' };
      });
    return this.zoneCapacity.translatePlanLimit(zone.ownerId, deciderId, work);
  }

  /**
   * Declines a request and notifies the person by email. The person can't ask again for 30 days.
   * @throws JOIN_REQUEST_NOT_FOUND, also for the second of two concurrent decisions
   */
  decline(zone: AccessibleZone, requestId: number): Promise<DecidedJoinRequestDto> {
    return inTransaction(this.em, async (em) => {
      const declined = await query<Tables>(em)
        .updateTable('join_requests')
        .set({ declined_at: this.clock.now() })
        .where('id', '=', requestId)
        .where('zone_id', '=', zone.id)
        .where('declined_at', 'is', null)
        .returning('user_id as userId')
        .executeTakeFirst();
      if (!declined) throw zoneErrors.JOIN_REQUEST_NOT_FOUND();
      await this.jobs.enqueue(em, notifyJoinRequestDeclined, { zoneId: zone.id, userId: declined.userId });
      return { id: requestId, userId: declined.userId, status: 'declined' };
    });
  }

  /**
   * Adds the requester as a member.
   * @returns the id of the user
   */
  private async addRequester(
    em: EntityManager,
    zone: AccessibleZone,
    requestId: number,
    deciderId: number,
  ): Promise<number> {
    const request = await this.deleteOpenRequest(em, zone.id, requestId);
    const { name } = await em.findOneOrFail(Zone, { id: zone.id });
    const user = await this.users.getManagedUser(request.user_id);
    const { method, consent_text: text, ip_address: ipAddress } = request;
    const consent = text === null ? null : { ipAddress, method, text };
    const { membership_days: days, link_id: linkId } = request;
    await this.membership.addMember(em, {
      zone: { ...zone, name },
      user,
      method,
      consent,
      invitedById: deciderId,
      expiresAt: days === null ? null : addMilliseconds(this.clock.now(), days * DAY),
      onMemberAdded: async (em) => {
        if (linkId !== null) await this.events.emit(em, 'zone.requestApproved', { userId: user.id, linkId });
        await this.jobs.enqueue(em, notifyJoinRequestApproved, { zoneId: zone.id, userId: user.id });
      },
    });
    return user.id;
  }

  /** Deletes and returns the request, so that only one of two concurrent decisions finds it. */
  private async deleteOpenRequest(em: EntityManager, zoneId: number, id: number) {
    const row = await query<Tables>(em)
      .deleteFrom('join_requests')
      .where('id', '=', id)
      .where('zone_id', '=', zoneId)
      .where('declined_at', 'is', null)
      .returning(['user_id', 'method', 'consent_text', 'ip_address', 'membership_days', 'link_id'])
      .executeTakeFirst();
    if (!row) throw zoneErrors.JOIN_REQUEST_NOT_FOUND();
    return row;
  }
}
