import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inBatches } from '../../../platform/database/in-batches.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { DomainEvents } from '../../../platform/events/domain-events.js';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import type { ClockTick, JobContext } from '../../../platform/jobs/job-definition.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { eachOnItsOwn } from '../../../platform/jobs/running/each-on-its-own.js';
import { MailService } from '../../../platform/mail/mail.service.js';
import { digestOf, newToken } from '../../../platform/security/secrets.js';
import { User } from '../../auth/entities/user.entity.js';
import { VerificationCodeService } from '../../auth/registration/verification-code.service.js';
import { SingleUseTokenService } from '../../auth/tokens/single-use-token.service.js';
import { personName } from '../../zones/entities/zone-member.entity.js';
import { KeptOut } from '../../zones/kept-out/kept-out.service.js';
import { StrangerMails } from '../../zones/strangers/stranger-mail.service.js';
import { Zone, type ZoneSchema } from '../../zones/entities/zone.entity.js';
import { joinVerificationMail } from '../emails/join-verification.email.js';
import { PendingJoin, PendingJoinSchema } from '../entities/pending-join.entity.js';
import { purgePendingJoins, sendWaitingJoins, sendJoinVerification } from '../links.jobs.js';
import type { UsedLink } from '../link-entry.service.js';

type Tables = typeof PendingJoinSchema | typeof ZoneSchema;

/** How long somebody waits for a day with room; after that they may ask again. */
const LONGEST_WAIT = 3 * DAY;
/** A flood of made-up requests must not take the days that follow from those who ask then. */
const WAITING_OF_A_ZONE = 1000;
/** A link to verify the address lives a day from when it is sent. */
export const JOIN_LIFETIME = DAY;
/** Kept after their end so that a late second click is still told what happened. */
const KEEP = 7 * DAY;

interface Waiting {
  readonly id: number;
  readonly email: string;
  readonly zoneId: number;
  readonly ownerId: number;
}

/** What is kept of somebody who asks to join, until a click in the mail shows that the address is theirs. */
export interface JoinToProve {
  readonly email: string;
  readonly link: UsedLink;
  /** The record of the try; null where it is not recorded. */
  readonly usageId: number | null;
  /** What the window keeps in which the person asks. */
  readonly handle: string;
  /** The words agreed to; null for joining without consent. */
  readonly consentText: string | null;
  readonly ipAddress: string | null;
  readonly language: Language;
}

/** A request with the zone that it is about. */
interface Asked {
  readonly pending: PendingJoin;
  readonly zone: Zone;
}

/** The subject under which the token of a pending join is stored. */
export function subjectOf(pendingJoinId: number): string {
  return `join:${pendingJoinId}`;
}

/** Requests to join that wait for proof of the address, and their mails, some of which wait for a day with room. */
@Injectable()
export class PendingJoins {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly strangers: StrangerMails,
    private readonly jobs: Jobs,
    private readonly config: AppConfig,
    private readonly tokens: SingleUseTokenService,
    private readonly codes: VerificationCodeService,
    private readonly mail: MailService,
    private readonly keptOut: KeptOut,
  ) {}

  /**
   * Keeps a request and has its mail sent, in the caller's transaction. Where the owner's plan sends no more of them
   * today, it waits for a later day; to an address that got its mails of today goes none: any of theirs still lets them in.
   */
  async add(em: EntityManager, ownerId: number, { link, ...join }: JoinToProve): Promise<void> {
    const { id } = await query<Tables>(em)
      .insertInto('pending_joins')
      .values({
        ...{ zone_id: link.zoneId, link_id: link.linkId, public_link: link.publicLink, usage_id: join.usageId },
        handle_digest: digestOf(join.handle),
        ...{ email: join.email, consent_text: join.consentText, ip_address: join.ipAddress, language: join.language },
        ...{ created_at: link.askedAt, expires_at: after(link.askedAt, JOIN_LIFETIME) },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const mail = await this.strangers.chargeForJoin(em, { id: link.zoneId, ownerId }, join.email);
    if (mail === 'sent') await this.jobs.enqueue(em, sendJoinVerification, { pendingJoinId: id });
    if (mail === 'later') await this.postpone(em, id, link.zoneId);
  }

  /**
   * The secrets of the link and the code are made here, when they are sent: no job holds one, and a second try voids the
   * first link.
   */
  @OnJob(sendJoinVerification)
  async sendLink({ pendingJoinId }: { pendingJoinId: number }, { id }: JobContext): Promise<void> {
    const pending = await this.em.findOne(PendingJoin, { id: pendingJoinId });
    const lifetime = pending ? pending.expiresAt.getTime() - this.clock.now().getTime() : 0;
    if (!pending || pending.completedAt || lifetime <= 0) return;
    const zone = await this.em.findOne(Zone, { id: pending.zoneId, deletedAt: null });
    if (!zone) return;
    const owner = await this.em.findOne(User, { id: zone.ownerId, deactivatedAt: null });
    if (!owner) return;
    const join = newToken();
    const code = await this.codes.issue(pending.email, 'join', subjectOf(pending.id));
    const token = await inTransaction(this.em, (em) => {
      pending.digest = digestOf(join);
      return this.tokens.issue(
        em,
        { email: pending.email, purpose: 'verify-email', subject: subjectOf(pending.id) },
        lifetime,
      );
    });
    await this.mail.send(joinVerificationMail, {
      to: pending.email,
      language: pending.language,
      values: {
        url: `${this.config.appUrl}/verify-email?token=${token}&join=${join}`,
        code,
        zoneName: zone.name,
        requiresApproval: await this.waitsForOwner({ pending, zone }),
        ownerName: personName(owner),
      },
      idempotencyKey: `job-${id}`,
    });
  }

  /**
   * True where the click is a request that the owner decides about. A temporary link is the owner's word already, but not
   * for whom the owner took out of the zone.
   */
  async waitsForOwner({ pending, zone }: Asked): Promise<boolean> {
    if ((await this.standing({ pending, zone })) === 'in') return false;
    if (pending.publicLink != null && !zone.autoJoin) return true;
    return this.keptOut.isKeptOut(zone.id, pending.email);
  }

  /** How whoever asked stands with the zone by now: let in, with a request that nobody has answered to them, or neither. */
  async standing({ pending: { email }, zone: { id } }: Asked): Promise<'in' | 'asked' | 'out'> {
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
  async endForAddress(em: EntityManager, { from }: DomainEvents['user.emailChanged']): Promise<void> {
    await query<Tables>(em).deleteFrom('pending_joins').where('email', '=', from).execute();
  }

  /** Removes those that nobody confirmed in time, and those that were confirmed a while ago. */
  @OnJob(purgePendingJoins)
  async purge(): Promise<void> {
    const before = after(this.clock.now(), -KEEP);
    await query<Tables>(this.em).deleteFrom('pending_joins').where('expires_at', '<=', before).execute();
  }

  /** Has the mails sent for which there is room now, the longest waiting first. Each is a transaction of its own. */
  @OnJob(sendWaitingJoins)
  async sendDue(_tick: ClockTick, { signal }: JobContext): Promise<void> {
    const full = new Set<number>();
    const send = async (one: Waiting) => {
      if (!full.has(one.zoneId) && !(await this.sendOne(one))) full.add(one.zoneId);
    };
    const all = inBatches<Waiting>((last, limit) => this.waiting(last?.id ?? 0, limit));
    await eachOnItsOwn(all, send, signal, ({ id }) => ({ pendingJoinId: id }));
  }

  /** Lets a mail wait for another day; beyond what a zone may have waiting it is not kept. */
  private async postpone(em: EntityManager, id: number, zoneId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('pending_joins')
      .set({ is_mail_held: true, expires_at: after(this.clock.now(), LONGEST_WAIT) })
      .where('id', '=', id)
      .where(
        sql<boolean>`(select count(*) from pending_joins where is_mail_held and zone_id = ${zoneId}) < ${WAITING_OF_A_ZONE}`,
      )
      .execute();
  }

  /** @returns false when the owner's day, or the part of it for the zone, is used up */
  private sendOne({ id, email, zoneId, ownerId }: Waiting): Promise<boolean> {
    return inTransaction(this.em.fork(), async (em) => {
      const freed = await query<Tables>(em)
        .updateTable('pending_joins')
        .set({ is_mail_held: false, expires_at: after(this.clock.now(), JOIN_LIFETIME) })
        .where('id', '=', id)
        .where('is_mail_held', '=', true)
        .executeTakeFirst();
      if (freed.numUpdatedRows === 0n) return true;
      const mail = await this.strangers.chargeForJoin(em, { id: zoneId, ownerId }, email);
      if (mail === 'sent') await this.jobs.enqueue(em, sendJoinVerification, { pendingJoinId: id });
      if (mail === 'later') await this.keepWaiting(em, id);
      return mail !== 'later';
    });
  }

  private async keepWaiting(em: EntityManager, id: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('pending_joins')
      .set({ is_mail_held: true, expires_at: sql<Date>`created_at + ${LONGEST_WAIT / 1000} * interval '1 second'` })
      .where('id', '=', id)
      .execute();
  }

  private async waiting(last: number, limit: number): Promise<Waiting[]> {
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
