import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { readInBatches } from '../../../platform/database/in-batches.js';
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
import { LinkZoneRepository } from '../link-zone.repository.js';
import type { UsedLink } from '../link.policy.js';
import { PendingJoinRepository, type HeldJoin } from './pending-join.repository.js';
import { ZoneRepository } from '../../zones/zone/zone.repository.js';

/** Expired requests are kept this long, so that a late second click gets an explanation. */
const RETENTION = 7 * DAY;

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
export interface PendingJoinWithZone {
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
    private readonly pendingJoins: PendingJoinRepository,
    private readonly zones: ZoneRepository,
    private readonly linkZones: LinkZoneRepository,
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
   */
  async createPendingJoin(em: EntityManager, ownerId: number, { link, ...join }: UnverifiedJoin): Promise<void> {
    const { joinSessionToken, ...details } = join;
    const id = await this.pendingJoins.insertPendingJoin(em, {
      ...details,
      link,
      handleDigest: digestOf(joinSessionToken),
    });
    const mail = await this.nonMemberEmailQuota.reserveJoinEmail(em, { id: link.zoneId, ownerId }, join.email);
    if (mail === 'sent') await this.jobs.enqueue(em, sendJoinVerification, { pendingJoinId: id });
    if (mail === 'later') await this.pendingJoins.holdEmail(em, id, link.zoneId);
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
    if ((await this.linkZones.findMembershipStatus(zone.id, pending.email)) === 'in') return false;
    if (pending.publicLink != null && !zone.autoJoin) return true;
    return this.membershipRestriction.isRestricted(zone.id, pending.email);
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
