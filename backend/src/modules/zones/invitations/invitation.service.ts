import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Audit } from '../../../platform/audit/audit.service.js';
import { after, Clock, DAY, HOUR } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimits, type RateRule } from '../../../platform/http/rate-limits.service.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { UsageService, type UsageState } from '../../plans/usage.service.js';
import { AudienceService } from '../audience.service.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { MembershipService } from '../membership.service.js';
import { zoneErrors } from '../zones.errors.js';
import { InvitationExpiry } from './invitation-expiry.service.js';
import { InvitationPlaces } from './invitation-places.service.js';
import { InvitationSifting, type Invitee, type SiftedInvitee } from './invitation-sifting.service.js';
import type { InviteOutcome } from './invite-outcome.js';
import { sendInvitation } from './send-invitation.job.js';

type Tables = typeof InvitationSchema;

/** An invitation, with the temporary password in its mail, lives as long. */
export const INVITATION_LIFETIME = 7 * DAY;
/** Mails with invitations, counted by address and owner. */
export const INVITATIONS_BY_OWNER: RateRule = { name: 'invitation', limit: 5000, window: HOUR };
/** One mailbox must not be filled by one owner, by sending again or by inviting and revoking in turn. */
export const INVITATIONS_BY_ADDRESS: RateRule = { name: 'invitation-address', limit: 5, window: DAY };
/** Rows of one transaction: it holds the owner's row of usage through its commit. */
const CHUNK = 500;

export interface InvitingZone {
  readonly id: number;
  readonly ownerId: number;
}

export interface InviteReport {
  /** One a person, in the order given; `email` as it is kept, or as written when it is broken. */
  readonly results: { readonly email: string; readonly outcome: InviteOutcome }[];
  /** Of the owner's plan, when some found no place in it. */
  readonly planLimit: UsageState | null;
  /** Seconds until more may be invited, when some were over the rate; else 0. */
  readonly retryAfter: number;
}

/** Inviting people to a zone by mail. */
@Injectable()
export class InvitationService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly sifting: InvitationSifting,
    private readonly places: InvitationPlaces,
    private readonly expiry: InvitationExpiry,
    private readonly audience: AudienceService,
    private readonly members: MembershipService,
    private readonly usage: UsageService,
    private readonly limits: RateLimits,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /**
   * Invites a list of people, of any length, in chunks that are committed one after the other; the mails are sent by
   * jobs. Over the plan's limit rows are taken in their order until it is reached. Nothing about one row is an error of
   * the list.
   * @param inviterId the owner or a zone admin
   * @throws ZONE_NOT_FOUND when the zone is being deleted
   */
  async invite(zone: InvitingZone, inviterId: number, people: readonly Invitee[]): Promise<InviteReport> {
    const rows = this.sifting.read(people);
    await this.expiry.free(zone.id);
    let retryAfter = 0;
    for (let start = 0; start < rows.length; start += CHUNK) {
      const chunk = rows.slice(start, start + CHUNK);
      await this.sifting.mark(this.em, zone, chunk);
      retryAfter = Math.max(retryAfter, await this.keepRate(zone.ownerId, chunk));
      await this.write(zone, inviterId, chunk);
    }
    return this.report(zone.ownerId, rows, retryAfter);
  }

  /** What `invite` would answer at this moment, the rate aside; changes nothing. */
  async look(zone: InvitingZone, people: readonly Invitee[]): Promise<InviteReport> {
    const rows = this.sifting.read(people);
    await this.sifting.mark(this.em, zone, rows);
    const open = rows.filter(({ outcome }) => outcome === null);
    const known = await this.audience.known(
      this.em,
      zone.ownerId,
      open.map(({ email }) => email),
    );
    const { used, allowed } = await this.usage.state(this.em, zone.ownerId, 'people');
    let room = allowed === null ? Infinity : Math.max(0, allowed - used);
    for (const row of open) row.outcome = known.has(row.email) || room-- > 0 ? 'INVITED' : 'PLAN_LIMIT';
    return this.report(zone.ownerId, rows, 0);
  }

  private async report(ownerId: number, rows: SiftedInvitee[], retryAfter: number): Promise<InviteReport> {
    const isFull = rows.some(({ outcome }) => outcome === 'PLAN_LIMIT');
    return {
      results: rows.map(({ email, outcome }) => ({ email, outcome: outcome! })),
      planLimit: isFull ? await this.usage.state(this.em, ownerId, 'people') : null,
      retryAfter,
    };
  }

  /** Marks those over the daily rate of an address or the owner's hourly one; gives the seconds to wait, or 0. */
  private async keepRate(ownerId: number, chunk: SiftedInvitee[]): Promise<number> {
    const subjects = chunk.filter(({ outcome }) => outcome === null).map(({ email }) => subjectOf(ownerId, email));
    const allowed = await this.limits.takeEach(INVITATIONS_BY_ADDRESS, subjects);
    for (const row of chunk) {
      if (row.outcome === null && !allowed.has(subjectOf(ownerId, row.email))) row.outcome = 'RATE_LIMIT';
    }
    const open = chunk.filter(({ outcome }) => outcome === null);
    const { granted, retryAfter } = await this.limits.takeUpTo(INVITATIONS_BY_OWNER, ownerId, open.length);
    for (const row of open.slice(granted)) row.outcome = 'RATE_LIMIT';
    return granted < open.length ? retryAfter : 0;
  }

  private async write(zone: InvitingZone, inviterId: number, chunk: SiftedInvitee[]): Promise<void> {
    const open = chunk.filter(({ outcome }) => outcome === null);
    if (open.length === 0) return;
    await inTransaction(this.em, async (em) => {
      if (!(await this.members.hold(em, zone.id))) throw zoneErrors.ZONE_NOT_FOUND();
      const ids = await this.insert(em, zone.id, inviterId, open);
      const taken = open.filter(({ email }) => ids.has(email));
      const fresh = await this.places.hold(
        em,
        zone.ownerId,
        taken.map(({ email }) => email),
      );
      const newcomers = taken.filter(({ email }) => fresh.has(email));
      const room = await this.usage.takeUpTo(em, zone.ownerId, 'people', newcomers.length);
      const over = newcomers.slice(room);
      await this.takeBack(em, zone.ownerId, over, ids);
      for (const { email } of over) ids.delete(email);
      await this.jobs.enqueueMany(
        em,
        sendInvitation,
        [...ids.values()].map((invitationId) => ({ invitationId })),
      );
      await this.record(em, zone, inviterId, ids.size);
      for (const row of open) row.outcome = ids.has(row.email) ? 'INVITED' : 'ALREADY_INVITED';
      for (const row of over) row.outcome = 'PLAN_LIMIT';
    });
  }

  /** Writes the rows, over used and expired ones of the same address; gives the ids of those written. */
  private async insert(
    em: EntityManager,
    zoneId: number,
    inviterId: number,
    people: SiftedInvitee[],
  ): Promise<Map<string, number>> {
    const now = this.clock.now();
    const column = (name: 'email' | 'firstName' | 'lastName') => people.map((person) => person[name]);
    const { rows } = await sql<{ id: string; email: string }>`
      insert into invitations (zone_id, email, first_name, last_name, invited_by_id, expires_at, created_at)
      select ${zoneId}::bigint, p.email, p.first_name, p.last_name, ${inviterId}::bigint,
        ${after(now, INVITATION_LIFETIME)}::timestamptz, ${now}::timestamptz
      from unnest(${column('email')}::text[], ${column('firstName')}::text[], ${column('lastName')}::text[])
        as p(email, first_name, last_name)
      order by p.email
      on conflict (zone_id, email) do update set
        first_name = excluded.first_name, last_name = excluded.last_name, invited_by_id = excluded.invited_by_id,
        digest = null, password_digest = null, used = false, is_counted = true, expires_at = excluded.expires_at,
        created_at = excluded.created_at, sent_at = null, used_at = null, is_notice_due = false
      where not invitations.is_counted
      returning id, email
    `.execute(query<Tables>(em));
    return new Map(rows.map(({ id, email }) => [email, Number(id)]));
  }

  /** Undoes, in the same transaction, what found no place in the plan. */
  private async takeBack(
    em: EntityManager,
    ownerId: number,
    over: SiftedInvitee[],
    ids: ReadonlyMap<string, number>,
  ): Promise<void> {
    if (over.length === 0) return;
    await query<Tables>(em)
      .deleteFrom('invitations')
      .where(
        'id',
        'in',
        over.map(({ email }) => ids.get(email)!),
      )
      .execute();
    await this.places.letGo(
      em,
      ownerId,
      over.map(({ email }) => email),
    );
  }

  private async record(em: EntityManager, zone: InvitingZone, actorId: number, count: number): Promise<void> {
    if (count === 0) return;
    await this.audit.record(em, { type: 'zone.people-invited', actorId, params: { zoneId: zone.id, count } });
  }
}

/** Whom `INVITATIONS_BY_ADDRESS` counts. */
export function subjectOf(ownerId: number, email: string): string {
  return `${ownerId} ${email}`;
}
