import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Audit } from '../../../platform/audit/audit.service.js';
import { after, Clock, DAY, HOUR } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { despiteLocks, inTransaction } from '../../../platform/database/transaction.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { UsageService, type UsageState } from '../../plans/usage.service.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { MemberAdmission } from '../joining/member-admission.service.js';
import { StrangerMails, type DayOfMails } from '../strangers/stranger-mail.service.js';
import { zoneErrors } from '../zones.errors.js';
import { InvitationExpiry } from './ending/invitation-expiry.service.js';
import { InvitationPlaces } from './invitation-places.service.js';
import { InvitationSifting, type Invitee, type SiftedInvitee } from './sending/invitation-sifting.service.js';
import type { InviteOutcome } from '../shared/outcomes.js';
import { sendInvitation } from '../zones.jobs.js';

type Tables = typeof InvitationSchema;

/** An invitation, with the temporary password in its mail, lives as long. */
export const INVITATION_LIFETIME = 7 * DAY;
/** Mails with invitations within an hour; how many a day, and to one address, is counted by `StrangerMails`. */
export const INVITATIONS_BY_OWNER: RateRule = { name: 'invitation', limit: 5000, window: HOUR };
/** Rows of one transaction: it holds the owner's row of usage through its commit. */
const CHUNK = 500;
/** Tries of a row that meets one which goes at the same moment. */
const TRIES = 3;

export interface InvitingZone {
  readonly id: number;
  readonly ownerId: number;
}

export interface InviteReport {
  /** One a person, in the order given; `email` as it is kept, or as written when it is broken. */
  readonly results: { readonly email: string; readonly outcome: InviteOutcome }[];
  /** Of the owner's plan, when some found no place in it. */
  readonly planLimit: UsageState | null;
  /** What the owner has sent today to people who are not members yet, when some were over that. */
  readonly dailyLimit: DayOfMails | null;
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
    private readonly members: MemberAdmission,
    private readonly usage: UsageService,
    private readonly strangers: StrangerMails,
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

  private async report(ownerId: number, rows: SiftedInvitee[], retryAfter: number): Promise<InviteReport> {
    const isFull = rows.some(({ outcome }) => outcome === 'PLAN_LIMIT');
    const isOverDay = rows.some(({ outcome }) => outcome === 'DAILY_MAIL_LIMIT');
    return {
      results: rows.map(({ email, outcome }) => ({ email, outcome: outcome! })),
      planLimit: isFull ? await this.usage.state(this.em, ownerId, 'people') : null,
      dailyLimit: isOverDay ? await this.strangers.state(this.em, ownerId) : null,
      retryAfter,
    };
  }

  /** Marks those over the owner's hourly rate; gives the seconds to wait, or 0. */
  private async keepRate(ownerId: number, chunk: SiftedInvitee[]): Promise<number> {
    const open = chunk.filter(({ outcome }) => outcome === null);
    const { granted, retryAfter } = await this.limits.spendUpTo(INVITATIONS_BY_OWNER, ownerId, open.length);
    for (const row of open.slice(granted)) row.outcome = 'RATE_LIMIT';
    return granted < open.length ? retryAfter : 0;
  }

  private async write(zone: InvitingZone, inviterId: number, chunk: SiftedInvitee[]): Promise<void> {
    const open = chunk.filter(({ outcome }) => outcome === null);
    if (open.length === 0) return;
    const work = async (em: EntityManager) => {
      // Of a try that was undone.
      for (const row of open) row.outcome = null;
      if (!(await this.members.lockZone(em, zone.id))) throw zoneErrors.ZONE_NOT_FOUND();
      const ids = await this.insert(em, zone.id, inviterId, open);
      const written = open.filter(({ email }) => ids.has(email));
      const taken = await this.keepDay(em, zone.ownerId, written, ids);
      const over = await this.keepPlan(em, zone.ownerId, taken, ids);
      await this.jobs.enqueueMany(
        em,
        sendInvitation,
        [...ids.values()].map((invitationId) => ({ invitationId })),
      );
      await this.record(em, zone, inviterId, ids.size);
      for (const row of open) row.outcome ??= ids.has(row.email) ? 'INVITED' : 'ALREADY_INVITED';
      for (const row of over) row.outcome = 'PLAN_LIMIT';
    };
    await despiteLocks(() => inTransaction(this.em, work));
  }

  /** Marks and takes back whom no more mail of this day may reach; gives the others. */
  private async keepDay(
    em: EntityManager,
    ownerId: number,
    written: SiftedInvitee[],
    ids: Map<string, number>,
  ): Promise<SiftedInvitee[]> {
    const addresses = await this.strangers.chargeAddresses(
      em,
      ownerId,
      written.map(({ email }) => email),
    );
    const reachable = written.filter(({ email }) => addresses.has(email));
    const room = await this.strangers.chargeUpTo(em, ownerId, reachable.length);
    const taken = reachable.slice(0, room);
    const kept = new Set(taken.map(({ email }) => email));
    const refused = written.filter(({ email }) => !kept.has(email));
    for (const row of refused) row.outcome = addresses.has(row.email) ? 'DAILY_MAIL_LIMIT' : 'ADDRESS_MAIL_LIMIT';
    await this.takeBack(em, refused, ids);
    return taken;
  }

  /** Takes places in the plan; gives those who found none, whose rows and mails are taken back. */
  private async keepPlan(
    em: EntityManager,
    ownerId: number,
    taken: SiftedInvitee[],
    ids: Map<string, number>,
  ): Promise<SiftedInvitee[]> {
    const fresh = await this.places.hold(
      em,
      ownerId,
      taken.map(({ email }) => email),
    );
    const newcomers = taken.filter(({ email }) => fresh.has(email));
    const room = await this.usage.chargeUpTo(em, ownerId, 'people', newcomers.length);
    const over = newcomers.slice(room);
    const emails = over.map(({ email }) => email);
    await this.takeBack(em, over, ids);
    await this.places.letGo(em, ownerId, emails);
    await this.strangers.refund(em, ownerId, emails);
    return over;
  }

  /**
   * Writes the rows, over used and expired ones of the same address; gives the ids of those written. New ones first and
   * by address, then those that are there by id, as whoever ends invitations locks them: one statement that does both
   * would lock those that are there by address.
   */
  private async insert(
    em: EntityManager,
    zoneId: number,
    inviterId: number,
    people: SiftedInvitee[],
  ): Promise<Map<string, number>> {
    const ids = new Map<string, number>();
    let left = people;
    for (let tries = 0; left.length > 0 && tries < TRIES; tries++) {
      const written = await this.insertNew(em, zoneId, inviterId, left);
      const conflicting = left.filter(({ email }) => !written.has(email));
      const present = await this.writeOver(em, zoneId, inviterId, conflicting);
      for (const [email, id] of [...written, ...present]) if (id !== null) ids.set(email, id);
      // One that is missing now was taken back at this moment.
      left = conflicting.filter(({ email }) => !present.has(email));
    }
    return ids;
  }

  private async insertNew(em: EntityManager, zoneId: number, inviterId: number, people: SiftedInvitee[]) {
    const now = this.clock.now();
    const { rows } = await sql<{ id: string; email: string }>`
      insert into invitations (zone_id, email, first_name, last_name, invited_by_id, expires_at, created_at)
      select ${zoneId}::bigint, p.email, p.first_name, p.last_name, ${inviterId}::bigint,
        ${after(now, INVITATION_LIFETIME)}::timestamptz, ${now}::timestamptz
      from ${rowsOf(people)} order by p.email
      on conflict (zone_id, email) do nothing
      returning id, email`.execute(query<Tables>(em));
    return new Map<string, number | null>(rows.map(({ id, email }) => [email, Number(id)]));
  }

  /** Locks the rows that are there, and begins those anew that hold no place; gives all, with the ids of those written. */
  private async writeOver(em: EntityManager, zoneId: number, inviterId: number, people: SiftedInvitee[]) {
    if (people.length === 0) return new Map<string, number | null>();
    const now = this.clock.now();
    const { rows } = await sql<{ id: string; email: string; isCounted: boolean }>`
      with present as materialized (
        select id, email, is_counted from invitations
        where zone_id = ${zoneId} and email = any(${people.map(({ email }) => email)}::text[]) order by id for update
      ), written as (
        update invitations i set
          first_name = p.first_name, last_name = p.last_name, invited_by_id = ${inviterId}::bigint,
          digest = null, password_digest = null, used = false, is_counted = true,
          expires_at = ${after(now, INVITATION_LIFETIME)}::timestamptz, created_at = ${now}::timestamptz,
          sent_at = null, kept_at = null, undeliverable_at = null, used_at = null, is_notice_due = false
        from present join ${rowsOf(people)} on p.email = present.email
        where i.id = present.id and not present.is_counted
      )
      select id, email, is_counted as "isCounted" from present`.execute(query<Tables>(em));
    return new Map(rows.map(({ id, email, isCounted }) => [email, isCounted ? null : Number(id)]));
  }

  /** Undoes, in the same transaction, the rows of those who are not invited after all. */
  private async takeBack(em: EntityManager, refused: SiftedInvitee[], ids: Map<string, number>): Promise<void> {
    if (refused.length === 0) return;
    const rows = refused.map(({ email }) => ids.get(email)!);
    await query<Tables>(em).deleteFrom('invitations').where('id', 'in', rows).execute();
    for (const { email } of refused) ids.delete(email);
  }

  private async record(em: EntityManager, zone: InvitingZone, actorId: number, count: number): Promise<void> {
    if (count === 0) return;
    await this.audit.record(em, { type: 'zone.people-invited', actorId, params: { zoneId: zone.id, count } });
  }
}

/** People as rows of a statement, named `p`. */
function rowsOf(people: readonly SiftedInvitee[]): RawBuilder<unknown> {
  const column = (name: 'email' | 'firstName' | 'lastName') => people.map((person) => person[name]);
  return sql`unnest(${column('email')}::text[], ${column('firstName')}::text[], ${column('lastName')}::text[])
    as p(email, first_name, last_name)`;
}
