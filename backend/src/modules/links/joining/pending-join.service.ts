import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { readInBatches } from '../../../platform/database/in-batches.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { DomainEvents } from '../../../platform/events/domain-events.js';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import type { CronRunPayload, JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { digestOf, newToken } from '../../../platform/security/secrets.js';
import { fullName, User } from '../../auth/entities/user.entity.js';
import { VerificationCodeService } from '../../auth/registration/verification-code.service.js';
import { SingleUseTokenService } from '../../auth/tokens/single-use-token.service.js';
import { MembershipRestrictionService } from '../../zones/restrictions/membership-restriction.service.js';
import { NonMemberEmailQuotaService } from '../../zones/email-quota/non-member-email-quota.service.js';
import { Zone, type ZoneSchema } from '../../zones/entities/zone.entity.js';
import { joinVerificationEmail } from '../emails/join-verification.email.js';
import { PendingJoin, PendingJoinSchema } from '../entities/pending-join.entity.js';
import { purgePendingJoins, sendHeldJoinEmails, sendJoinVerification } from '../links.jobs.js';
import type { UsedLink } from '../link-entry.service.js';

type Tables = typeof PendingJoinSchema | typeof ZoneSchema;

/** How long somebody waits for a day with room; after that they may ask again. */
const MAX_HOLD = 3 * DAY;
/** A flood of made-up requests must not take the days that follow from those who ask then. */
const MAX_HELD_PER_ZONE = 1000;
/** A link to verify the address lives a day from when it is sent. */
export const JOIN_LIFETIME = DAY;
/** Kept after their end so that a late second click is still told what happened. */
const RETENTION = 7 * DAY;

interface HeldJoin {
  readonly id: number;
  readonly email: string;
  readonly zoneId: number;
  readonly ownerId: number;
}

/** What is kept of somebody who asks to join, until a click in the mail shows that the address is theirs. */
export interface UnverifiedJoin {
  readonly email: string;
  readonly link: UsedLink;
  /** The record of the try; null where it is not recorded. */
  readonly usageId: number | null;
  /** What the window keeps in which the person asks. */
  readonly joinSessionToken: string;
  /** The words agreed to; null for joining without consent. */
  readonly consentText: string | null;
  readonly ipAddress: string | null;
  readonly language: Language;
}

/** A request with the zone that it is about. */
interface PendingJoinWithZone {
  readonly pending: PendingJoin;
  readonly zone: Zone;
}

/** The subject under which the token of a pending join is stored. */
export function toTokenSubject(pendingJoinId: number): string {
  return `join:${pendingJoinId}`;
}

/** Requests to join that wait for proof of the address, and their mails, some of which wait for a day with room. */
@Injectable()
export class PendingJoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly nonMemberEmailQuota: NonMemberEmailQuotaService,
    private readonly jobs: JobsService,
    private readonly config: AppConfig,
    private readonly tokens: SingleUseTokenService,
    private readonly codes: VerificationCodeService,
    private readonly email: EmailService,
    private readonly membershipRestriction: MembershipRestrictionService,
  ) {}

  /**
   * Keeps a request and has its mail sent, in the caller's transaction. Where the owner's plan sends no more of them
   * today, it waits for a later day; to an address that got its mails of today goes none: any of theirs still lets them in.
   */
  async createPendingJoin(em: EntityManager, ownerId: number, { link, ...join }: UnverifiedJoin): Promise<void> {
    const { id } = await query<Tables>(em)
      .insertInto('pending_joins')
      .values({
        ...{ zone_id: link.zoneId, link_id: link.linkId, public_link: link.publicLink, usage_id: join.usageId },
        handle_digest: digestOf(join.joinSessionToken),
        ...{ email: join.email, consent_text: join.consentText, ip_address: join.ipAddress, language: join.language },
        ...{ created_at: link.askedAt, expires_at: addMilliseconds(link.askedAt, JOIN_LIFETIME) },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const mail = await this.nonMemberEmailQuota.reserveJoinEmail(em, { id: link.zoneId, ownerId }, join.email);
    if (mail === 'sent') await this.jobs.enqueue(em, sendJoinVerification, { pendingJoinId: id });
    if (mail === 'later') await this.holdEmail(em, id, link.zoneId);
  }

  /**
   * The secrets of the link and the code are made here, when they are sent: no job holds one, and a second try voids the
   * first link.
   */
  @OnJob(sendJoinVerification)
  async sendVerificationEmail({ pendingJoinId }: { pendingJoinId: number }, { id }: JobContext): Promise<void> {
    const pending = await this.em.findOne(PendingJoin, { id: pendingJoinId });
    const lifetime = pending ? pending.expiresAt.getTime() - this.clock.now().getTime() : 0;
    if (!pending || pending.completedAt || lifetime <= 0) return;
    const zone = await this.em.findOne(Zone, { id: pending.zoneId, deletedAt: null });
    if (!zone) return;
    const owner = await this.em.findOne(User, { id: zone.ownerId, deactivatedAt: null });
    if (!owner) return;
    const join = newToken();
    const code = await this.codes.issueCode(pending.email, 'join', toTokenSubject(pending.id));
    const token = await inTransaction(this.em, (em) => {
      pending.digest = digestOf(join);
      return this.tokens.issueToken(
        em,
        { email: pending.email, purpose: 'verify-email', subject: toTokenSubject(pending.id) },
        lifetime,
      );
    });
    await this.email.send(joinVerificationEmail, {
      to: pending.email,
      language: pending.language,
      values: {
        url: `${this.config.appUrl}/verify-email?token=${token}&join=${join}`,
        code,
        zoneName: zone.name,
        requiresApproval: await this.requiresApproval({ pending, zone }),
        ownerName: fullName(owner),
      },
      idempotencyKey: `job-${id}`,
    });
  }

  /**
   * True where the click is a request that the owner decides about. A temporary link is the owner's word already, but not
   * for whom the owner took out of the zone.
   */
  async requiresApproval({ pending, zone }: PendingJoinWithZone): Promise<boolean> {
    if ((await this.getMembershipStatus({ pending, zone })) === 'in') return false;
    if (pending.publicLink != null && !zone.autoJoin) return true;
    return this.membershipRestriction.isRestricted(zone.id, pending.email);
  }

  /** How whoever asked stands with the zone by now: let in, with a request that nobody has answered to them, or neither. */
  async getMembershipStatus({
    pending: { email },
    zone: { id },
  }: PendingJoinWithZone): Promise<'in' | 'asked' | 'out'> {
    const { rows } = await sql<{ standing: 'in' | 'asked' | 'out' }>`
      select case
        when exists (select from zone_members where zone_id = ${id} and email = ${email}
          and (expires_at is null or expires_at > ${this.clock.now()})) then 'in'
        when exists (select from join_requests r join users u on u.id = r.user_id
          where r.zone_id = ${id} and u.email = ${email}) then 'asked'
        else 'out' end as standing`.execute(query<Tables>(this.em));
    return rows[0]!.standing;
  }

  /**
   * Requests that wait for a click in the old mailbox end with a change of address: whoever reads that mailbox would come
   * in as a person whose address it is no more.
   */
  @OnEvent('user.emailChanged')
  async deleteForOldEmail(em: EntityManager, { from }: DomainEvents['user.emailChanged']): Promise<void> {
    await query<Tables>(em).deleteFrom('pending_joins').where('email', '=', from).execute();
  }

  /** Removes those that nobody confirmed in time, and those that were confirmed a while ago. */
  @OnJob(purgePendingJoins)
  async purgeExpired(): Promise<void> {
    const before = addMilliseconds(this.clock.now(), -RETENTION);
    await query<Tables>(this.em).deleteFrom('pending_joins').where('expires_at', '<=', before).execute();
  }

  /** Has the mails sent for which there is room now, the longest waiting first. Each is a transaction of its own. */
  @OnJob(sendHeldJoinEmails)
  async sendHeldEmails(_tick: CronRunPayload, { signal }: JobContext): Promise<void> {
    const fullZones = new Set<number>();
    const send = async (one: HeldJoin) => {
      if (!fullZones.has(one.zoneId) && !(await this.sendHeldEmail(one))) fullZones.add(one.zoneId);
    };
    const heldJoins = readInBatches<HeldJoin>((last, limit) => this.findHeld(last?.id ?? 0, limit));
    await forEachIsolated(heldJoins, send, signal, ({ id }) => ({ pendingJoinId: id }));
  }

  /** Lets a mail wait for another day; beyond what a zone may have waiting it is not kept. */
  private async holdEmail(em: EntityManager, id: number, zoneId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('pending_joins')
      .set({ is_mail_held: true, expires_at: addMilliseconds(this.clock.now(), MAX_HOLD) })
      .where('id', '=', id)
      .where(
        sql<boolean>`(select count(*) from pending_joins where is_mail_held and zone_id = ${zoneId}) < ${MAX_HELD_PER_ZONE}`,
      )
      .execute();
  }

  /** @returns false when the owner's day, or the part of it for the zone, is used up */
  private sendHeldEmail({ id, email, zoneId, ownerId }: HeldJoin): Promise<boolean> {
    return inTransaction(this.em.fork(), async (em) => {
      const released = await query<Tables>(em)
        .updateTable('pending_joins')
        .set({ is_mail_held: false, expires_at: addMilliseconds(this.clock.now(), JOIN_LIFETIME) })
        .where('id', '=', id)
        .where('is_mail_held', '=', true)
        .executeTakeFirst();
      if (released.numUpdatedRows === 0n) return true;
      const mail = await this.nonMemberEmailQuota.reserveJoinEmail(em, { id: zoneId, ownerId }, email);
      if (mail === 'sent') await this.jobs.enqueue(em, sendJoinVerification, { pendingJoinId: id });
      if (mail === 'later') await this.holdAgain(em, id);
      return mail !== 'later';
    });
  }

  private async holdAgain(em: EntityManager, id: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('pending_joins')
      .set({ is_mail_held: true, expires_at: sql<Date>`created_at + ${MAX_HOLD / 1000} * interval '1 second'` })
      .where('id', '=', id)
      .execute();
  }

  private async findHeld(last: number, limit: number): Promise<HeldJoin[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('pending_joins as p')
      .innerJoin('zones as z', 'z.id', 'p.zone_id')
      .select(['p.id as id', 'p.email as email', 'z.id as zoneId', 'z.owner_id as ownerId'])
      .where('p.is_mail_held', '=', true)
      .where('p.expires_at', '>', this.clock.now())
      .where('z.deleted_at', 'is', null)
      .where('p.id', '>', last)
      .orderBy('p.id')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      ...row,
      id: Number(row.id),
      zoneId: Number(row.zoneId),
      ownerId: Number(row.ownerId),
    }));
  }
}
