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
import { SingleUseTokenRepository } from '../../auth/tokens/single-use-token.repository.js';
import { MembershipRestrictionRepository } from '../../zones/restrictions/membership-restriction.repository.js';
import { NonMemberEmailQuotaService } from '../../zones/email-quota/non-member-email-quota.service.js';
import { Zone, type ZoneSchema } from '../../zones/entities/zone.entity.js';
import { joinVerificationEmail } from '../emails/join-verification.email.js';
import { PendingJoin, PendingJoinSchema } from '../entities/pending-join.entity.js';
import { purgePendingJoins, sendHeldJoinEmails, sendJoinVerification } from '../links.jobs.js';
import type { UsedLink } from '../link-entry.service.js';

type Tables = typeof PendingJoinSchema | typeof ZoneSchema;

/** How long a request waits for email quota; after that the person must ask again. */
const MAX_HOLD = 3 * DAY;
/** Limits held requests, so that a flood of fake requests can't use up the quota of the following days. */
const MAX_HELD_PER_ZONE = 1000;
/** Lifetime of the verification link, from when it is sent. */
export const JOIN_LIFETIME = DAY;
/** Expired requests are kept this long, so that a late second click gets an explanation. */
const RETENTION = 7 * DAY;

interface HeldJoin {
  readonly id: number;
  readonly email: string;
  readonly zoneId: number;
  readonly ownerId: number;
}

/** A join request until a click in the email verifies the address. */
export interface UnverifiedJoin {
  readonly email: string;
  readonly link: UsedLink;
  /** The recorded attempt; null if it is not recorded. */
  readonly usageId: number | null;
  /** Token kept in the window that made the request. */
  readonly joinSessionToken: string;
  /** The text agreed to; null when joining without consent. */
  readonly consentText: string | null;
  readonly ipAddress: string | null;
  readonly language: Language;
}

/** A request and its zone. */
interface PendingJoinWithZone {
  readonly pending: PendingJoin;
  readonly zone: Zone;
}

/** The subject under which the token of a pending join is stored. */
export function toTokenSubject(pendingJoinId: number): string {
  return `join:${pendingJoinId}`;
}

/** Manages join requests that await email verification, and their emails, some of which wait for quota. */
@Injectable()
export class PendingJoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly nonMemberEmailQuota: NonMemberEmailQuotaService,
    private readonly jobs: JobsService,
    private readonly config: AppConfig,
    private readonly tokens: SingleUseTokenRepository,
    private readonly codes: VerificationCodeService,
    private readonly email: EmailService,
    private readonly membershipRestriction: MembershipRestrictionRepository,
  ) {}

  /**
   * Stores a request and enqueues its email, in the caller's transaction. If the owner's quota for today is exhausted,
   * the email is held for a later day. If the address has reached its own daily limit, no email is sent, because any of
   * the earlier ones still works.
   */
  async createPendingJoin(em: EntityManager, ownerId: number, { link, ...join }: UnverifiedJoin): Promise<void> {
    const { id } = await query<Tables>(em)
      .insertInto('pending_joins')
      .values({
        zone_id: link.zoneId,
        link_id: link.linkId,
        public_link: link.publicLink,
        usage_id: join.usageId,
        handle_digest: digestOf(join.joinSessionToken),
        email: join.email,
        consent_text: join.consentText,
        ip_address: join.ipAddress,
        language: join.language,
        created_at: link.askedAt,
        expires_at: addMilliseconds(link.askedAt, JOIN_LIFETIME),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const mail = await this.nonMemberEmailQuota.reserveJoinEmail(em, { id: link.zoneId, ownerId }, join.email);
    if (mail === 'sent') await this.jobs.enqueue(em, sendJoinVerification, { pendingJoinId: id });
    if (mail === 'later') await this.holdEmail(em, id, link.zoneId);
  }

  /**
   * Creates the secrets of the link and the code at sending time, so that no job payload contains them and a retry
   * invalidates the first link.
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
   * Whether joining requires the owner's approval. A temporary link counts as the owner's approval, except for people
   * whom the owner has removed from the zone.
   */
  async requiresApproval({ pending, zone }: PendingJoinWithZone): Promise<boolean> {
    if ((await this.getMembershipStatus({ pending, zone })) === 'in') return false;
    if (pending.publicLink != null && !zone.autoJoin) return true;
    return this.membershipRestriction.isRestricted(zone.id, pending.email);
  }

  /** Returns the requester's current status in the zone: member, request pending (or silently declined), or neither. */
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
   * Deletes the pending requests of the old address when a user changes it. Otherwise anyone reading the old mailbox
   * could join as that user.
   */
  @OnEvent('user.emailChanged')
  async deleteForOldEmail(em: EntityManager, { from }: DomainEvents['user.emailChanged']): Promise<void> {
    await query<Tables>(em).deleteFrom('pending_joins').where('email', '=', from).execute();
  }

  /** Deletes requests that expired or were completed some time ago. */
  @OnJob(purgePendingJoins)
  async purgeExpired(): Promise<void> {
    const before = addMilliseconds(this.clock.now(), -RETENTION);
    await query<Tables>(this.em).deleteFrom('pending_joins').where('expires_at', '<=', before).execute();
  }

  /** Enqueues held emails for which there is quota now, oldest first, each in its own transaction. */
  @OnJob(sendHeldJoinEmails)
  async sendHeldEmails(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    const fullZones = new Set<number>();
    const send = async (one: HeldJoin) => {
      if (!fullZones.has(one.zoneId) && !(await this.sendHeldEmail(one))) fullZones.add(one.zoneId);
    };
    const heldJoins = readInBatches<HeldJoin>((last, limit) => this.findHeld(last?.id ?? 0, limit));
    await forEachIsolated(heldJoins, send, signal, ({ id }) => ({ pendingJoinId: id }));
  }

  /** Holds an email for another day; beyond the zone's limit of held emails it is dropped. */
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

  /** @returns false if the owner's daily quota, or the zone's share of it, is exhausted */
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
