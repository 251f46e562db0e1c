import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { readInBatches } from '../../../platform/database/in-batches.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { DomainEvents } from '../../../platform/events/domain-events.js';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import type { CronRunPayload, JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import { EmailService } from '../../../platform/email/email.service.js';
import { digestOf, newToken } from '../../../platform/security/secrets.js';
import { fullName } from '../../auth/entities/user.entity.js';
import { VerificationCodeService } from '../../auth/registration/verification-code.service.js';
import { SingleUseTokenRepository } from '../../auth/tokens/single-use-token.repository.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { MembershipRestrictionRepository } from '../../zones/restrictions/membership-restriction.repository.js';
import { NonMemberEmailQuotaService } from '../../zones/email-quota/non-member-email-quota.service.js';
import type { Zone } from '../../zones/entities/zone.entity.js';
import { joinVerificationEmail } from '../emails/join-verification.email.js';
import type { PendingJoin } from '../entities/pending-join.entity.js';
import { purgePendingJoins, sendHeldJoinEmails, sendJoinVerification } from '../links.jobs.js';
import type { JoinInput, JoinTarget } from '../link.policy.js';
import { LinkRepository } from '../link.repository.js';
import { PendingJoinRepository, type HeldJoin } from './pending-join.repository.js';
import { ZoneRepository } from '../../zones/zone/zone.repository.js';

/** Expired requests are kept this long, so that a late second click gets an explanation. */
const RETENTION = 7 * DAY;

/** The subject under which the token of a pending join is stored. */
export function toTokenSubject(pendingJoinId: number): string {
  return `join:${pendingJoinId}`;
}

/** Returns what a request joins. Its link's password was checked when it was made. */
export function toJoinTarget({ linkId, publicLink, createdAt }: PendingJoin, zone: Zone): JoinTarget {
  const { id, name, ownerId, autoJoin, requiresEmailOptin } = zone;
  return {
    zone: { id, name, ownerId, requiresEmailOptin, autoJoin: publicLink == null || autoJoin },
    linkId: linkId ?? null,
    publicLink: publicLink ?? null,
    password: null,
    askedAt: createdAt,
  };
}

/** Manages join requests that await email verification, and their emails, some of which wait for quota. */
@Injectable()
export class PendingJoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly pendingJoins: PendingJoinRepository,
    private readonly zones: ZoneRepository,
    private readonly links: LinkRepository,
    private readonly users: UserRepository,
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
   * @param attempt id of the recorded attempt, if any, and the token kept in the window that made the request
   */
  async createPendingJoin(
    em: EntityManager,
    target: JoinTarget,
    input: JoinInput,
    { usageId, handle }: { usageId: number | null; handle: string },
  ): Promise<void> {
    const { zone } = target;
    const id = await this.pendingJoins.insertPendingJoin(em, target, input, {
      usageId,
      handleDigest: digestOf(handle),
    });
    const mail = await this.nonMemberEmailQuota.reserveJoinEmail(em, zone, input.email);
    if (mail === 'sent') await this.jobs.enqueue(em, sendJoinVerification, { pendingJoinId: id });
    if (mail === 'later') await this.pendingJoins.holdEmail(em, id, zone.id);
  }

  /**
   * Creates the secrets of the link and the code at sending time, so that no job payload contains them and a retry
   * invalidates the first link.
   */
  @OnJob(sendJoinVerification)
  async sendVerificationEmail({ pendingJoinId }: { pendingJoinId: number }, { id }: JobContext): Promise<void> {
    const pending = await this.pendingJoins.findPendingJoin(pendingJoinId);
    const lifetime = pending ? pending.expiresAt.getTime() - this.clock.now().getTime() : 0;
    if (!pending || pending.completedAt || lifetime <= 0) return;
    const zone = await this.zones.findZone(pending.zoneId);
    if (!zone) return;
    const owner = await this.users.findActiveUser(zone.ownerId);
    if (!owner) return;
    const join = newToken();
    const code = await this.codes.issueCode(pending.email, 'join', toTokenSubject(pending.id));
    const token = await inTransaction(this.em, async (em) => {
      const grant = { email: pending.email, purpose: 'verify-email', subject: toTokenSubject(pending.id) } as const;
      const issued = await this.tokens.issueToken(em, grant, lifetime);
      await this.pendingJoins.updateDigest(em, pending, digestOf(join));
      return issued;
    });
    await this.email.send(joinVerificationEmail, {
      to: pending.email,
      language: pending.language,
      values: {
        url: `${this.config.appUrl}/verify-email?token=${token}&join=${join}`,
        code,
        zoneName: zone.name,
        requiresApproval: await this.requiresApproval(toJoinTarget(pending, zone), pending.email),
        ownerName: fullName(owner),
      },
      idempotencyKey: `job-${id}`,
    });
  }

  /**
   * Whether joining requires the owner's approval. A temporary link counts as the owner's approval, except for people
   * whom the owner has removed from the zone.
   */
  async requiresApproval({ zone }: JoinTarget, email: string): Promise<boolean> {
    if ((await this.links.findMembershipStatus(zone.id, email)) === 'in') return false;
    return !zone.autoJoin || this.membershipRestriction.isRestricted(zone.id, email);
  }

  /**
   * Deletes the pending requests of the old address when a user changes it. Otherwise anyone reading the old mailbox
   * could join as that user.
   */
  @OnEvent('user.emailChanged')
  async deleteForOldEmail(em: EntityManager, { from }: DomainEvents['user.emailChanged']): Promise<void> {
    await this.pendingJoins.deletePendingJoinsOf(em, from);
  }

  /** Deletes requests that expired or were completed some time ago. */
  @OnJob(purgePendingJoins)
  async purgeExpired(): Promise<void> {
    await this.pendingJoins.deleteExpired(addMilliseconds(this.clock.now(), -RETENTION));
  }

  /** Enqueues held emails for which there is quota now, oldest first, each in its own transaction. */
  @OnJob(sendHeldJoinEmails)
  async sendHeldEmails(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    const fullZones = new Set<number>();
    const send = async (one: HeldJoin) => {
      if (!fullZones.has(one.zoneId) && !(await this.sendHeldEmail(one))) fullZones.add(one.zoneId);
    };
    const heldJoins = readInBatches<HeldJoin>((last, limit) => this.pendingJoins.findHeld(last?.id ?? 0, limit));
    await forEachIsolated(heldJoins, send, signal, ({ id }) => ({ pendingJoinId: id }));
  }

  /** @returns false if the owner's daily quota, or the zone's share of it, is exhausted */
  private sendHeldEmail({ id, email, zoneId, ownerId }: HeldJoin): Promise<boolean> {
    return inTransaction(this.em.fork(), async (em) => {
      if (!(await this.pendingJoins.releaseEmail(em, id))) return true;
      const mail = await this.nonMemberEmailQuota.reserveJoinEmail(em, { id: zoneId, ownerId }, email);
      if (mail === 'sent') await this.jobs.enqueue(em, sendJoinVerification, { pendingJoinId: id });
      if (mail === 'later') await this.pendingJoins.holdEmailAgain(em, id);
      return mail !== 'later';
    });
  }
}
