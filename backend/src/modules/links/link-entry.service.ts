import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { DomainEvents } from '../../platform/events/domain-events.js';
import { OnEvent } from '../../platform/events/on-event.decorator.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import { ZoneSchema, type Zone } from '../zones/entities/zone.entity.js';
import { KeptOut } from '../zones/kept-out/kept-out.service.js';
import { JoinRequestService, type Asking } from '../zones/requests/join-request.service.js';
import { MemberAdmission, type Admission } from '../zones/joining/member-admission.service.js';
import { LinkGrantSchema } from './entities/link-grant.entity.js';
import { TemporaryLinkSchema } from './entities/temporary-link.entity.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { refusalOf } from './link.policy.js';
import { linkErrors } from './links.errors.js';

type Tables =
  typeof ZoneSchema | typeof ZoneStatsSchema | typeof UserSchema | typeof TemporaryLinkSchema | typeof LinkGrantSchema;

/** The link by which somebody comes in, and since when they have been asking. One of the two names it. */
export interface UsedLink {
  readonly zoneId: number;
  readonly linkId: number | null;
  readonly publicLink: string | null;
  readonly askedAt: Date;
}

/** What came of a try to join. */
export type JoinResult = 'joined' | 'waiting' | 'already-member';

type LockedZone = Pick<Zone, 'id' | 'requiresEmailOptin'>;

/** Who comes in, and what the caller writes of it beside the membership. */
export type Joiner = Pick<Admission, 'user' | 'consent' | 'alsoWrite'>;

/** Somebody who looks at what a click would do. */
interface Foreseen {
  readonly email: string;
  readonly hasAgreed: boolean;
  readonly waits: boolean;
}

/** The one way from a link, of either kind, to a membership. */
@Injectable()
export class LinkEntryService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly requests: JoinRequestService,
    private readonly keptOut: KeptOut,
    private readonly members: MemberAdmission,
  ) {}

  /**
   * The zone behind a public link, while it is public, there, and its owner active.
   * @throws LINK_NOT_FOUND
   */
  async findPublic(publicLink: string) {
    const row = await this.shown()
      .where('z.public_link', '=', publicLink)
      .where('z.type', '=', 'public')
      .where('z.is_active', '=', true)
      .where('o.deactivated_at', 'is', null)
      .executeTakeFirst();
    if (!row) throw linkErrors.LINK_NOT_FOUND();
    return row;
  }

  /** A zone as a link to it shows it, for somebody who is known to be in it. */
  async findShown(zoneId: number) {
    return this.shown()
      .where('z.id', '=', zoneId)
      .executeTakeFirstOrThrow(() => zoneErrors.ZONE_NOT_FOUND());
  }

  /** What a link shows of zones that are there. */
  private shown() {
    return query<Tables>(this.em)
      .selectFrom('zones as z')
      .innerJoin('zone_stats as s', 's.zone_id', 'z.id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['z.id as id', 'z.owner_id as ownerId', 'z.name as name', 'z.description as description'])
      .select([
        'z.public_link as publicLink',
        'z.auto_join as autoJoin',
        'z.requires_email_optin as requiresEmailOptin',
        'z.show_files as showFiles',
      ])
      .select(['s.files as fileCount', 's.members as memberCount'])
      .select(['o.first_name as ownerFirstName', 'o.last_name as ownerLastName', 'o.language as ownerLanguage'])
      .where('z.deleted_at', 'is', null);
  }

  /**
   * Lets a person with a verified address in, in the caller's transaction. The link is looked at again under its lock,
   * and a use of it is counted only together with a new membership; locks are taken in the order zone, membership, link,
   * counts.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES, PLAN_LIMIT of the owner
   * @throws LINK_ALREADY_USED when the link has given this person its days; CONSENT_REQUIRED
   */
  async enter(em: EntityManager, link: UsedLink, joiner: Joiner): Promise<JoinResult> {
    const zone = await this.lockZone(em, link);
    await this.requireConsent(em, zone, joiner);
    const admission = { ...joiner, zone, isZoneLocked: true };
    if (link.linkId === null) return this.usePublic(em, { ...admission, method: 'public_link' }, zone.autoJoin);
    return this.useTemporary(em, link.linkId, link.askedAt, { ...admission, method: 'temporary_link' });
  }

  /**
   * Looks whether a link still lets somebody in, and changes nothing.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES
   */
  async check(link: UsedLink): Promise<void> {
    await this.zoneOf(this.em, link).executeTakeFirstOrThrow(() => linkErrors.LINK_NOT_FOUND());
    if (link.linkId !== null) await this.refuse(this.em, link.linkId, link.askedAt);
  }

  /**
   * Looks whether a click would be refused for what was so before it, and changes nothing: the consent that the zone has
   * come to require, the days that the link gave this person once. For somebody who is not in the zone.
   * @throws CONSENT_REQUIRED; LINK_ALREADY_USED, but to nobody whose click asks the owner
   */
  async foresee(link: UsedLink, asker: Foreseen): Promise<void> {
    const zone = await this.zoneOf(this.em, link).executeTakeFirstOrThrow(() => linkErrors.LINK_NOT_FOUND());
    if (zone.requiresEmailOptin && !asker.hasAgreed) throw linkErrors.CONSENT_REQUIRED();
    if (asker.waits || link.linkId === null) return;
    if (await this.hasGiven(link.linkId, asker.email)) throw linkErrors.LINK_ALREADY_USED();
  }

  /** A link gives its days once, also where the owner let its person in: it is noted, whoever was given them before. */
  @OnEvent('zone.requestApproved')
  async noteGrant(em: EntityManager, { linkId, userId }: DomainEvents['zone.requestApproved']): Promise<void> {
    await sql`
      insert into link_grants (link_id, user_id, granted_at)
      select id, ${userId}::bigint, ${this.clock.now()}::timestamptz from temporary_links where id = ${linkId}
      on conflict do nothing`.execute(query<Tables>(em));
  }

  /** The zone may have come to require the consent since the person asked. */
  private async requireConsent(em: EntityManager, zone: LockedZone, { user, consent }: Joiner): Promise<void> {
    if (!zone.requiresEmailOptin || consent !== null) return;
    if (!(await this.members.isMember(em, zone.id, user.id))) throw linkErrors.CONSENT_REQUIRED();
  }

  /** Keeps the zone as it is until the end of the transaction: its type, its link, its being there. */
  private lockZone(em: EntityManager, link: UsedLink) {
    return this.zoneOf(em, link)
      .forShare()
      .executeTakeFirstOrThrow(() => linkErrors.LINK_NOT_FOUND());
  }

  private zoneOf(em: EntityManager, { zoneId, linkId, publicLink }: UsedLink) {
    const zones = query<Tables>(em)
      .selectFrom('zones')
      .select(['id', 'name', 'owner_id as ownerId', 'auto_join as autoJoin'])
      .select('requires_email_optin as requiresEmailOptin')
      .where('id', '=', zoneId)
      .where('deleted_at', 'is', null)
      .where('is_active', '=', true);
    if (linkId !== null) return zones.where('type', '=', 'private');
    return zones.where('public_link', '=', publicLink);
  }

  private async usePublic(em: EntityManager, admission: Admission, autoJoin: boolean): Promise<JoinResult> {
    const barred = await this.bar(em, admission, null);
    if (barred) return barred;
    if (!autoJoin) return this.requests.ask(em, admission);
    return this.letIn(em, admission);
  }

  /** Somebody may still wait from the time when the zone asked its owner. Requests come before memberships. */
  private async letIn(em: EntityManager, admission: Admission): Promise<JoinResult> {
    await this.keptOut.forgetRequests(em, admission.zone.id, [admission.user.id]);
    return (await this.members.admit(em, admission)) ? 'joined' : 'already-member';
  }

  /**
   * What a link does for somebody whom the owner took out: their try becomes a request. Of somebody who was blocked
   * nobody is shown it, and they are told the same.
   * @returns null for everybody else; they stay free until the commit
   */
  private async bar(em: EntityManager, admission: Admission, link: Asking['link']): Promise<JoinResult | null> {
    const { zone, user } = admission;
    await this.keptOut.lock(em, zone.id, user.id);
    const state = await this.keptOut.stateOf(em, zone.id, user.id);
    if (state === 'free') return null;
    return this.requests.ask(em, admission, { link, isBlocked: state === 'blocked' });
  }

  private async useTemporary(
    em: EntityManager,
    linkId: number,
    askedAt: Date,
    admission: Admission,
  ): Promise<JoinResult> {
    const link = await this.read(em, linkId);
    if (!link) throw linkErrors.LINK_NOT_FOUND();
    const code = refusalOf(link, askedAt);
    if (code) {
      if (await this.members.isMember(em, admission.zone.id, admission.user.id)) return 'already-member';
      throw linkErrors[code]();
    }
    const { membershipDays: days } = link;
    const barred = await this.bar(em, admission, days === null ? null : { id: linkId, days });
    if (barred) return barred;
    return this.letIn(em, {
      ...admission,
      expiresAt: days === null ? null : after(this.clock.now(), days * DAY),
      alsoWrite: async (em) => {
        if (days !== null) await this.grant(em, linkId, admission.user.id);
        await this.countUse(em, linkId, askedAt);
        await admission.alsoWrite?.(em);
      },
    });
  }

  /**
   * Notes that the link has given the person its days: the row is there once, whoever tries at the same moment.
   * @throws LINK_ALREADY_USED
   */
  private async grant(em: EntityManager, linkId: number, userId: number): Promise<void> {
    const granted = await query<Tables>(em)
      .insertInto('link_grants')
      .values({ link_id: linkId, user_id: userId, granted_at: this.clock.now() })
      .onConflict((conflict) => conflict.columns(['link_id', 'user_id']).doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (!granted) throw linkErrors.LINK_ALREADY_USED();
  }

  private async hasGiven(linkId: number, email: string): Promise<boolean> {
    const given = await query<Tables>(this.em)
      .selectFrom('link_grants as g')
      .innerJoin('users as u', 'u.id', 'g.user_id')
      .innerJoin('temporary_links as l', 'l.id', 'g.link_id')
      .select('g.link_id')
      .where('g.link_id', '=', linkId)
      .where('u.email', '=', email)
      .where('l.membership_days', 'is not', null)
      .executeTakeFirst();
    return given !== undefined;
  }

  /**
   * Counts a use, if the link still lets somebody in; an update of one row, which many wait for, so it comes late.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES
   */
  private async countUse(em: EntityManager, linkId: number, askedAt: Date): Promise<void> {
    const taken = await query<Tables>(em)
      .updateTable('temporary_links')
      .set({ current_uses: sql<number>`current_uses + 1` })
      .where('id', '=', linkId)
      .where('is_active', '=', true)
      .where('expires_at', '>', askedAt)
      .where(sql<boolean>`(max_uses is null or current_uses < max_uses)`)
      .executeTakeFirst();
    if (taken.numUpdatedRows > 0n) return;
    await this.refuse(em, linkId, askedAt);
    throw linkErrors.LINK_MAX_USES();
  }

  private async refuse(em: EntityManager, linkId: number, askedAt: Date): Promise<void> {
    const link = await this.read(em, linkId);
    const code = link ? refusalOf(link, askedAt) : 'LINK_NOT_FOUND';
    if (code) throw linkErrors[code]();
  }

  private async read(em: EntityManager, linkId: number) {
    const link = await query<Tables>(em)
      .selectFrom('temporary_links')
      .select(['expires_at as expiresAt', 'max_uses as maxUses', 'membership_days as membershipDays'])
      .select(['current_uses as currentUses', 'is_active as isActive'])
      .where('id', '=', linkId)
      .executeTakeFirst();
    return link && { ...link, expiresAt: new Date(link.expiresAt) };
  }
}
