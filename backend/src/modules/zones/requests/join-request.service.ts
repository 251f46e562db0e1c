import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import type { DecidedJoinRequestDto, JoinRequestDto } from '../dto/member.dto.js';
import { MembershipRepository } from '../joining/membership.repository.js';
import { MembershipService, type AddMemberOptions } from '../joining/membership.service.js';
import {
  purgeDeclinedRequests,
  notifyJoinRequestApproved,
  notifyJoinRequestDeclined,
  notifyJoinRequests,
} from '../zones.jobs.js';
import type { AccessibleZone } from '../access/zone-access.repository.js';
import { ZoneCapacityService } from '../zone/zone-capacity.service.js';
import { ZoneRepository } from '../zone/zone.repository.js';
import { zoneErrors } from '../zones.errors.js';
import { JoinRequestRepository } from './join-request.repository.js';

/** How long after a decline the person can't ask again. */
export const DECLINE_PERIOD = 30 * DAY;

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
    private readonly requests: JoinRequestRepository,
    private readonly zones: ZoneRepository,
    private readonly memberships: MembershipRepository,
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
    if (await this.memberships.isMember(em, zone.id, user.id)) return 'already-member';
    await this.requests.deleteDeclinedRequest(em, zone.id, user.id, this.declinePeriodStart());
    const request = { zoneId: zone.id, userId: user.id, method, consent, link, isDeclined: isBlocked };
    const isNew = await this.requests.upsertRequest(em, request);
    if (isNew && !isBlocked) await this.jobs.enqueue(em, notifyJoinRequests, { zoneId: zone.id });
    return 'waiting';
  }

  /**
   * Deletes declined requests that may be repeated, in batches. Those of blocked people are kept like pending ones;
   * otherwise the person's data export would reveal the block.
   */
  @OnJob(purgeDeclinedRequests)
  async purgeDeclined(_payload: object, { signal }: JobContext): Promise<void> {
    for (let full = true; full && !signal.aborted;) {
      full = (await this.requests.deleteDeclinedRequests(this.declinePeriodStart(), BATCH_SIZE)) === BATCH_SIZE;
    }
  }

  /** Lists open requests, oldest first. */
  async listOpen(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<JoinRequestDto>> {
    const rows = await this.requests.listPending(zoneId, limit + 1, cursor);
    return toPage(rows, limit, await this.requests.countPending(zoneId), ({ id }) => [id]);
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
      const userId = await this.requests.declineRequest(em, zone.id, requestId);
      if (userId === null) throw zoneErrors.JOIN_REQUEST_NOT_FOUND();
      await this.jobs.enqueue(em, notifyJoinRequestDeclined, { zoneId: zone.id, userId });
      return { id: requestId, userId, status: 'declined' };
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
    const request = await this.requests.deletePendingRequest(em, zone.id, requestId);
    if (!request) throw zoneErrors.JOIN_REQUEST_NOT_FOUND();
    const name = await this.zones.getName(em, zone.id);
    const user = await this.users.getManagedUser(request.userId);
    const { method, consentText: text, ipAddress, membershipDays: days, linkId } = request;
    const consent = text === null ? null : { ipAddress, method, text };
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

  private declinePeriodStart(): Date {
    return addMilliseconds(this.clock.now(), -DECLINE_PERIOD);
  }
}
