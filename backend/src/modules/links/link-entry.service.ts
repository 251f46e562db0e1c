import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { DomainEvents } from '../../platform/events/domain-events.js';
import { OnEvent } from '../../platform/events/on-event.decorator.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import { ZoneSchema, type Zone } from '../zones/entities/zone.entity.js';
import { MembershipRestrictionService } from '../zones/restrictions/membership-restriction.service.js';
import { JoinRequestService, type JoinRequestOptions } from '../zones/requests/join-request.service.js';
import { MembershipService, type AddMemberOptions } from '../zones/joining/membership.service.js';
import { LinkRedemptionSchema } from './entities/link-redemption.entity.js';
import { TemporaryLinkSchema } from './entities/temporary-link.entity.js';
import { zoneErrors } from '../zones/zones.errors.js';
import { getRejectionCode } from './link.policy.js';
import { linkErrors } from './links.errors.js';

type Tables =
  | typeof ZoneSchema
  | typeof ZoneStatsSchema
  | typeof UserSchema
  | typeof TemporaryLinkSchema
  | typeof LinkRedemptionSchema;

/** The link by which a person joins, and since when the request is pending. Either `linkId` or `publicLink` is set. */
export interface UsedLink {
  readonly zoneId: number;
  readonly linkId: number | null;
  readonly publicLink: string | null;
  readonly askedAt: Date;
}

export type JoinOutcomeOfLink = 'joined' | 'waiting' | 'already-member';

type LockedZone = Pick<Zone, 'id' | 'requiresEmailOptin'>;

/** The person who joins, and what the caller writes besides the membership. */
export type JoiningUser = Pick<AddMemberOptions, 'user' | 'consent' | 'onMemberAdded'>;

/** A person who previews what completing would do. */
interface JoinCheck {
  readonly email: string;
  readonly hasConsented: boolean;
  readonly waits: boolean;
}

/** Turns a link, of either kind, into a membership; all joins by link end here. */
@Injectable()
export class LinkEntryService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly requests: JoinRequestService,
    private readonly membershipRestriction: MembershipRestrictionService,
    private readonly membership: MembershipService,
  ) {}

  /**
   * Returns the zone of a public link if the zone is public and active and its owner is active.
   * @throws LINK_NOT_FOUND
   */
  async findPublicZone(publicLink: string) {
    const row = await this.shownZonesQuery()
      .where('z.public_link', '=', publicLink)
      .where('z.type', '=', 'public')
      .where('z.is_active', '=', true)
      .where('o.deactivated_at', 'is', null)
      .executeTakeFirst();
    if (!row) throw linkErrors.LINK_NOT_FOUND();
    return row;
  }

  /** Returns a zone as its link shows it. The caller has checked the membership. */
  async findShownZone(zoneId: number) {
    return this.shownZonesQuery()
      .where('z.id', '=', zoneId)
      .executeTakeFirstOrThrow(() => zoneErrors.ZONE_NOT_FOUND());
  }

  /** Columns that links show of existing zones. */
  private shownZonesQuery() {
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
   * Adds a person with a verified address, in the caller's transaction. Checks the link again under its lock and counts
   * a use only for a new membership. Locks in the order zone, membership, link, counters.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES; PLAN_LIMIT of the owner
   * @throws LINK_ALREADY_USED if the link has already granted its days to this person; CONSENT_REQUIRED
   */
  async joinByLink(em: EntityManager, link: UsedLink, joiner: JoiningUser): Promise<JoinOutcomeOfLink> {
    const zone = await this.lockZone(em, link);
    await this.assertConsentGiven(em, zone, joiner);
    const options = { ...joiner, zone, isZoneLocked: true };
    if (link.linkId === null) return this.joinByPublicLink(em, { ...options, method: 'public_link' }, zone.autoJoin);
    return this.joinByTemporaryLink(em, link.linkId, link.askedAt, { ...options, method: 'temporary_link' });
  }

  /**
   * Checks whether a link still admits people, without changing anything.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES
   */
  async assertLinkValid(link: UsedLink): Promise<void> {
    await this.zoneQuery(this.em, link).executeTakeFirstOrThrow(() => linkErrors.LINK_NOT_FOUND());
    if (link.linkId !== null) await this.assertLinkUsable(this.em, link.linkId, link.askedAt);
  }

  /**
   * Checks, without changing anything, whether completing would fail because of the zone's consent requirement or
   * because the link has already granted its days. Only for people who are not members.
   * @throws CONSENT_REQUIRED; LINK_ALREADY_USED, unless joining requires approval
   */
  async assertJoinAllowed(link: UsedLink, joinCheck: JoinCheck): Promise<void> {
    const zone = await this.zoneQuery(this.em, link).executeTakeFirstOrThrow(() => linkErrors.LINK_NOT_FOUND());
    if (zone.requiresEmailOptin && !joinCheck.hasConsented) throw linkErrors.CONSENT_REQUIRED();
    if (joinCheck.waits || link.linkId === null) return;
    if (await this.hasRedeemed(link.linkId, joinCheck.email)) throw linkErrors.LINK_ALREADY_USED();
  }

  /**
   * Records that a link has granted its days to a person whose request was approved, so that it does not grant them
   * again. An earlier grant is not an error.
   */
  @OnEvent('zone.requestApproved')
  async recordRedemption(em: EntityManager, { linkId, userId }: DomainEvents['zone.requestApproved']): Promise<void> {
    await sql`
      insert into link_grants (link_id, user_id, granted_at)
      select id, ${userId}::bigint, ${this.clock.now()}::timestamptz from temporary_links where id = ${linkId}
      on conflict do nothing`.execute(query<Tables>(em));
  }

  /** The zone may have started to require consent since the person asked. */
  private async assertConsentGiven(em: EntityManager, zone: LockedZone, { user, consent }: JoiningUser): Promise<void> {
    if (!zone.requiresEmailOptin || consent !== null) return;
    if (!(await this.membership.isMember(em, zone.id, user.id))) throw linkErrors.CONSENT_REQUIRED();
  }

  /** Locks the zone's type, link and existence until the end of the transaction. */
  private lockZone(em: EntityManager, link: UsedLink) {
    return this.zoneQuery(em, link)
      .forShare()
      .executeTakeFirstOrThrow(() => linkErrors.LINK_NOT_FOUND());
  }

  private zoneQuery(em: EntityManager, { zoneId, linkId, publicLink }: UsedLink) {
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

  private async joinByPublicLink(
    em: EntityManager,
    options: AddMemberOptions,
    autoJoin: boolean,
  ): Promise<JoinOutcomeOfLink> {
    const restricted = await this.applyRestrictions(em, options, null);
    if (restricted) return restricted;
    if (!autoJoin) return this.requests.requestToJoin(em, options);
    return this.addMember(em, options);
  }

  /**
   * The person may still have a request from before the zone admitted members automatically. Requests are locked before
   * memberships.
   */
  private async addMember(em: EntityManager, options: AddMemberOptions): Promise<JoinOutcomeOfLink> {
    await this.membershipRestriction.deleteJoinRequests(em, options.zone.id, [options.user.id]);
    return (await this.membership.addMember(em, options)) ? 'joined' : 'already-member';
  }

  /**
   * Turns the attempt of a person removed by the owner into a join request. A blocked person gets the same response,
   * but the request is shown to no one.
   * @returns null for unrestricted people, who stay unrestricted until the commit
   */
  private async applyRestrictions(
    em: EntityManager,
    options: AddMemberOptions,
    link: JoinRequestOptions['link'],
  ): Promise<JoinOutcomeOfLink | null> {
    const { zone, user } = options;
    await this.membershipRestriction.lockPerson(em, zone.id, user.id);
    const state = await this.membershipRestriction.getRestriction(em, zone.id, user.id);
    if (state === 'free') return null;
    return this.requests.requestToJoin(em, options, { link, isBlocked: state === 'blocked' });
  }

  private async joinByTemporaryLink(
    em: EntityManager,
    linkId: number,
    askedAt: Date,
    options: AddMemberOptions,
  ): Promise<JoinOutcomeOfLink> {
    const link = await this.findTemporaryLink(em, linkId);
    if (!link) throw linkErrors.LINK_NOT_FOUND();
    const code = getRejectionCode(link, askedAt);
    if (code) {
      if (await this.membership.isMember(em, options.zone.id, options.user.id)) return 'already-member';
      throw linkErrors[code]();
    }
    const { membershipDays: days } = link;
    const restricted = await this.applyRestrictions(em, options, days === null ? null : { id: linkId, days });
    if (restricted) return restricted;
    return this.addMember(em, {
      ...options,
      expiresAt: days === null ? null : addMilliseconds(this.clock.now(), days * DAY),
      onMemberAdded: async (em) => {
        if (days !== null) await this.redeemLink(em, linkId, options.user.id);
        await this.countUse(em, linkId, askedAt);
        await options.onMemberAdded?.(em);
      },
    });
  }

  /**
   * Records that the link has granted its days to the person; the primary key admits only one of several concurrent
   * attempts.
   * @throws LINK_ALREADY_USED
   */
  private async redeemLink(em: EntityManager, linkId: number, userId: number): Promise<void> {
    const inserted = await query<Tables>(em)
      .insertInto('link_grants')
      .values({ link_id: linkId, user_id: userId, granted_at: this.clock.now() })
      .onConflict((conflict) => conflict.columns(['link_id', 'user_id']).doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (!inserted) throw linkErrors.LINK_ALREADY_USED();
  }

  private async hasRedeemed(linkId: number, email: string): Promise<boolean> {
    const redemption = await query<Tables>(this.em)
      .selectFrom('link_grants as g')
      .innerJoin('users as u', 'u.id', 'g.user_id')
      .innerJoin('temporary_links as l', 'l.id', 'g.link_id')
      .select('g.link_id')
      .where('g.link_id', '=', linkId)
      .where('u.email', '=', email)
      .where('l.membership_days', 'is not', null)
      .executeTakeFirst();
    return redemption !== undefined;
  }

  /**
   * Counts a use if the link still admits people. Must come late in the transaction, because the row is contended.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES
   */
  private async countUse(em: EntityManager, linkId: number, askedAt: Date): Promise<void> {
    const updated = await query<Tables>(em)
      .updateTable('temporary_links')
      .set({ current_uses: sql<number>`current_uses + 1` })
      .where('id', '=', linkId)
      .where('is_active', '=', true)
      .where('expires_at', '>', askedAt)
      .where(sql<boolean>`(max_uses is null or current_uses < max_uses)`)
      .executeTakeFirst();
    if (updated.numUpdatedRows > 0n) return;
    await this.assertLinkUsable(em, linkId, askedAt);
    throw linkErrors.LINK_MAX_USES();
  }

  private async assertLinkUsable(em: EntityManager, linkId: number, askedAt: Date): Promise<void> {
    const link = await this.findTemporaryLink(em, linkId);
    const code = link ? getRejectionCode(link, askedAt) : 'LINK_NOT_FOUND';
    if (code) throw linkErrors[code]();
  }

  private async findTemporaryLink(em: EntityManager, linkId: number) {
    const link = await query<Tables>(em)
      .selectFrom('temporary_links')
      .select(['expires_at as expiresAt', 'max_uses as maxUses', 'membership_days as membershipDays'])
      .select(['current_uses as currentUses', 'is_active as isActive'])
      .where('id', '=', linkId)
      .executeTakeFirst();
    return link && { ...link, expiresAt: new Date(link.expiresAt) };
  }
}
