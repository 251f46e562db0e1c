import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { decodeCursor } from '../../platform/http/cursor.js';
import { LIST_LIMIT, pageOf, type ListQueryDto, type Page } from '../../platform/http/list.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import { UserService } from '../auth/user.service.js';
import type { JoinRequestDto } from './dto/join-request.dto.js';
import { JoinRequestSchema } from './entities/join-request.entity.js';
import { Zone } from './entities/zone.entity.js';
import { MembershipService, type Admission } from './membership.service.js';
import { tellAdmitted } from './tell-admitted.job.js';
import type { ViewedZone } from './zone-access.service.js';
import { ZoneFullService } from './zone-full.service.js';
import { zoneErrors } from './zones.errors.js';

type Tables = typeof JoinRequestSchema | typeof UserSchema;

/** What came of somebody's wish to join. */
export type Entry = 'joined' | 'waiting' | 'already-member';

/** Requests to join zones that do not admit by themselves, decided by the owner or a zone admin. */
@Injectable()
export class JoinRequestService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly users: UserService,
    private readonly members: MembershipService,
    private readonly zoneFull: ZoneFullService,
  ) {}

  /**
   * Brings a person with a verified address into a zone by its link, in the caller's transaction: at once, or, where
   * the zone does not admit by itself, as a request that waits. Asking again keeps the first request's place.
   * @throws PLAN_LIMIT of the owner
   */
  async enter(em: EntityManager, admission: Admission, autoJoin: boolean): Promise<Entry> {
    const { zone, user, method, consent } = admission;
    if (autoJoin) return (await this.members.admit(em, admission)) ? 'joined' : 'already-member';
    if (await this.members.isMember(em, zone.id, user.id)) return 'already-member';
    const given = { consent_text: consent?.text ?? null, ip_address: consent?.ipAddress ?? null, method };
    await query<Tables>(em)
      .insertInto('join_requests')
      .values({ zone_id: zone.id, user_id: user.id, ...given, created_at: this.clock.now() })
      .onConflict((conflict) => conflict.columns(['zone_id', 'user_id']).doUpdateSet(given))
      .execute();
    return 'waiting';
  }

  /** Open requests, the oldest first. */
  async list(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<JoinRequestDto>> {
    let rows = query<Tables>(this.em)
      .selectFrom('join_requests as r')
      .innerJoin('users as u', 'u.id', 'r.user_id')
      .select(['r.id as id', 'u.id as userId', 'u.email as email', 'r.created_at as createdAt'])
      .select(['u.first_name as firstName', 'u.last_name as lastName', 'u.username as username'])
      .select(sql<boolean>`r.consent_text is not null`.as('hasConsented'))
      .where('r.zone_id', '=', zoneId)
      .orderBy('r.id')
      .limit(limit + 1);
    if (cursor) rows = rows.where('r.id', '>', decodeCursor(cursor, ['bigint'])[0]);
    const { total } = await query<Tables>(this.em)
      .selectFrom('join_requests')
      .select(sql<number>`count(*)`.as('total'))
      .where('zone_id', '=', zoneId)
      .executeTakeFirstOrThrow();
    return pageOf(await rows.execute(), limit, total, ({ id }) => [id]);
  }

  /**
   * Lets the person in and tells them by mail.
   * @throws JOIN_REQUEST_NOT_FOUND, also to the second of two who decide at once
   * @throws PLAN_LIMIT to the owner, ZONE_FULL to a zone admin
   */
  approve(zone: ViewedZone, requestId: number, deciderId: number): Promise<void> {
    const work = () => inTransaction(this.em, (em) => this.admit(em, zone, requestId, deciderId));
    return this.zoneFull.guard(zone.ownerId, deciderId, work);
  }

  /** Removes the request without a word to the person. */
  async decline(zone: ViewedZone, requestId: number): Promise<void> {
    await this.take(this.em, zone.id, requestId);
  }

  private async admit(em: EntityManager, zone: ViewedZone, requestId: number, deciderId: number): Promise<void> {
    const request = await this.take(em, zone.id, requestId);
    const { name } = await em.findOneOrFail(Zone, { id: zone.id });
    const user = await this.users.findById(request.user_id);
    const { method, consent_text: text, ip_address: ipAddress } = request;
    const consent = text === null ? null : { ipAddress, method, text };
    await this.members.admit(em, {
      zone: { ...zone, name },
      user,
      method,
      consent,
      invitedById: deciderId,
      alongside: (em) => this.jobs.enqueue(em, tellAdmitted, { zoneId: zone.id, userId: user.id }),
    });
  }

  /** Removes the request and gives it: of two who decide at once, one finds it gone. */
  private async take(em: EntityManager, zoneId: number, id: number) {
    const row = await query<Tables>(em)
      .deleteFrom('join_requests')
      .where('id', '=', id)
      .where('zone_id', '=', zoneId)
      .returning(['user_id', 'method', 'consent_text', 'ip_address'])
      .executeTakeFirst();
    if (!row) throw zoneErrors.JOIN_REQUEST_NOT_FOUND();
    return row;
  }
}
