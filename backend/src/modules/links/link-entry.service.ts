import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import { JoinRequestService, type Entry } from '../zones/join-request.service.js';
import { MembershipService, type Admission } from '../zones/membership.service.js';
import { TemporaryLinkSchema } from './entities/temporary-link.entity.js';
import { refusalOf } from './link.policy.js';
import { linkErrors } from './links.errors.js';

type Tables = typeof ZoneSchema | typeof TemporaryLinkSchema;

/** The link by which somebody comes in, and since when they have been asking. One of the two names it. */
export interface WayIn {
  readonly zoneId: number;
  readonly linkId: number | null;
  readonly publicLink: string | null;
  readonly askedAt: Date;
}

/** Who comes in, and what the caller writes of it beside the membership. */
export type Comer = Pick<Admission, 'user' | 'consent' | 'alongside'>;

/** The one way from a link, of either kind, to a membership. */
@Injectable()
export class LinkEntryService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly entries: JoinRequestService,
    private readonly members: MembershipService,
  ) {}

  /**
   * Lets a person with a verified address in, in the caller's transaction. The link is looked at again under its lock,
   * and a use of it is counted only together with a new membership; locks are taken in the order zone, membership, link,
   * counts.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES, PLAN_LIMIT of the owner
   */
  async enter(em: EntityManager, way: WayIn, comer: Comer): Promise<Entry> {
    const zone = await this.holdZone(em, way);
    const admission = { ...comer, zone, isZoneHeld: true };
    if (way.linkId === null) return this.entries.enter(em, { ...admission, method: 'public_link' }, zone.autoJoin);
    return this.useLink(em, way.linkId, way.askedAt, { ...admission, method: 'temporary_link' });
  }

  /**
   * Looks whether a way in is still open, and changes nothing.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES
   */
  async check(way: WayIn): Promise<void> {
    await this.zoneOf(this.em, way).executeTakeFirstOrThrow(() => linkErrors.LINK_NOT_FOUND());
    if (way.linkId !== null) await this.refuse(this.em, way.linkId, way.askedAt);
  }

  /** Keeps the zone as it is until the end of the transaction: its type, its link, its being there. */
  private holdZone(em: EntityManager, way: WayIn) {
    return this.zoneOf(em, way)
      .forShare()
      .executeTakeFirstOrThrow(() => linkErrors.LINK_NOT_FOUND());
  }

  private zoneOf(em: EntityManager, { zoneId, linkId, publicLink }: WayIn) {
    const zones = query<Tables>(em)
      .selectFrom('zones')
      .select(['id', 'name', 'owner_id as ownerId', 'auto_join as autoJoin'])
      .where('id', '=', zoneId)
      .where('deleted_at', 'is', null)
      .where('is_active', '=', true);
    if (linkId !== null) return zones.where('type', '=', 'private');
    return zones.where('public_link', '=', publicLink);
  }

  private async useLink(em: EntityManager, linkId: number, askedAt: Date, admission: Admission): Promise<Entry> {
    const link = await this.read(em, linkId);
    if (!link) throw linkErrors.LINK_NOT_FOUND();
    const code = refusalOf(link, askedAt);
    if (code) {
      if (await this.members.isMember(em, admission.zone.id, admission.user.id)) return 'already-member';
      throw linkErrors[code]();
    }
    const { membershipDays: days } = link;
    const joined = await this.members.admit(em, {
      ...admission,
      expiresAt: days === null ? null : after(this.clock.now(), days * DAY),
      alongside: async (em) => {
        await this.takeUse(em, linkId, askedAt);
        await admission.alongside?.(em);
      },
    });
    return joined ? 'joined' : 'already-member';
  }

  /**
   * Counts a use, if the link still lets somebody in; an update of one row, which many wait for, so it comes late.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES
   */
  private async takeUse(em: EntityManager, linkId: number, askedAt: Date): Promise<void> {
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
