import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import type { User } from '../auth/entities/user.entity.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import { JoinRequestService, type Entry } from '../zones/join-request.service.js';
import { MembershipService, type Admission, type Consent } from '../zones/membership.service.js';
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
   * and a use of it is counted only together with a new membership; locks are taken in the order zone, link, counts.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES, PLAN_LIMIT of the owner
   */
  async enter(em: EntityManager, way: WayIn, user: User, consent: Consent | null): Promise<Entry> {
    const zone = await this.holdZone(em, way);
    if (way.linkId === null) {
      return this.entries.enter(em, { zone, user, method: 'public_link', consent }, zone.autoJoin);
    }
    return this.useLink(em, way.linkId, way.askedAt, { zone, user, method: 'temporary_link', consent });
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
    const use = await this.takeUse(em, linkId, askedAt);
    if (!use) {
      if (await this.members.isMember(em, admission.zone.id, admission.user.id)) return 'already-member';
      await this.refuse(em, linkId, askedAt);
      throw linkErrors.LINK_MAX_USES();
    }
    const days = use.membershipDays;
    const expiresAt = days === null ? null : after(this.clock.now(), days * DAY);
    if (await this.members.admit(em, { ...admission, expiresAt })) return 'joined';
    await this.giveBack(em, linkId);
    return 'already-member';
  }

  private takeUse(em: EntityManager, linkId: number, askedAt: Date) {
    return query<Tables>(em)
      .updateTable('temporary_links')
      .set({ current_uses: sql<number>`current_uses + 1` })
      .where('id', '=', linkId)
      .where('is_active', '=', true)
      .where('expires_at', '>', askedAt)
      .where(sql<boolean>`(max_uses is null or current_uses < max_uses)`)
      .returning('membership_days as membershipDays')
      .executeTakeFirst();
  }

  /** Takes back the use of this same transaction, whose lock is still held: nobody can have seen it. */
  private async giveBack(em: EntityManager, linkId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('temporary_links')
      .set({ current_uses: sql<number>`current_uses - 1` })
      .where('id', '=', linkId)
      .execute();
  }

  private async refuse(em: EntityManager, linkId: number, askedAt: Date): Promise<void> {
    const link = await query<Tables>(em)
      .selectFrom('temporary_links')
      .select(['expires_at as expiresAt', 'max_uses as maxUses'])
      .select(['current_uses as currentUses', 'is_active as isActive'])
      .where('id', '=', linkId)
      .executeTakeFirst();
    const code = link ? refusalOf({ ...link, expiresAt: new Date(link.expiresAt) }, askedAt) : 'LINK_NOT_FOUND';
    if (code) throw linkErrors[code]();
  }
}
