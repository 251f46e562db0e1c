import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, MINUTE } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { decodeCursor } from '../../platform/http/lists/cursor.js';
import { countRows } from '../../platform/http/lists/list.js';
import type { UserSchema } from '../auth/entities/user.entity.js';
import { hiddenCountsSql } from '../zones/access/visible-files.sql.js';
import type { ZoneMemberSchema } from '../zones/entities/zone-member.entity.js';
import type { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import type { ZoneSchema } from '../zones/entities/zone.entity.js';
import type { FirstFileDto } from './dto/join.dto.js';
import type { LinkRedemptionSchema } from './entities/link-redemption.entity.js';
import { TemporaryLink, type TemporaryLinkSchema } from './entities/temporary-link.entity.js';
import type { JoinTarget, LinkWithZone, LinkZone, TemporaryLinkTerms } from './link.policy.js';

type Tables =
  | typeof TemporaryLinkSchema
  | typeof LinkRedemptionSchema
  | typeof ZoneSchema
  | typeof ZoneStatsSchema
  | typeof ZoneMemberSchema
  | typeof UserSchema;

/** What identifies a link, as of `JoinTarget`. */
type LinkKey = Pick<JoinTarget, 'linkId' | 'publicLink'> & { readonly zone: Pick<LinkZone, 'id'> };

interface NewTemporaryLink {
  readonly zoneId: number;
  readonly name: string;
  readonly token: string;
  readonly expiresAt: Date;
  readonly password: string | null;
  readonly maxUses: number | null;
  readonly membershipDays: number | null;
  readonly createdById: number;
}

/** A link as its owner sees it. */
export type TemporaryLinkRow = ReturnType<typeof toRow>;
type SelectedRow = Awaited<ReturnType<ReturnType<LinkRepository['linksQuery']>['execute']>>[number];

/** A zone with the columns that its link shows to visitors. */
export type ZonePreviewRow = NonNullable<Awaited<ReturnType<LinkRepository['findZonePreview']>>>;

/** Status of a person in a zone: member, request pending (or silently declined), or neither. */
export type MembershipStatus = 'in' | 'asked' | 'out';

/**
 * Public and temporary links with the zones they lead to, and to whom temporary links have granted their days. Uses are
 * counted by one conditional update.
 */
@Injectable()
export class LinkRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns the zone of a public link if the zone is public and active and its owner is active. */
  async findPublicZone(publicLink: string): Promise<ZonePreviewRow | null> {
    const row = await this.zonePreviewsQuery()
      .where('z.public_link', '=', publicLink)
      .where('z.type', '=', 'public')
      .where('z.is_active', '=', true)
      .where('o.deactivated_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns a zone as its link shows it. */
  async findZonePreview(zoneId: number) {
    const row = await this.zonePreviewsQuery().where('z.id', '=', zoneId).executeTakeFirst();
    return row ?? null;
  }

  /** Returns a visitor's link and its zone if the zone is private and active and its owner is active. */
  async findLinkByToken(token: string) {
    const row = await query<Tables>(this.em)
      .selectFrom('temporary_links as l')
      .innerJoin('zones as z', 'z.id', 'l.zone_id')
      .innerJoin('zone_stats as s', 's.zone_id', 'z.id')
      .innerJoinLateral(hiddenCountsSql(sql.ref('z.id'), null).as('h'), (on) => on.onTrue())
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['l.id as id', 'l.password as password', 'l.expires_at as expiresAt', 'l.max_uses as maxUses'])
      .select(['l.current_uses as currentUses', 'l.membership_days as membershipDays'])
      .select(['z.id as zoneId', 'z.owner_id as ownerId', 'z.name as zoneName', 'z.description as zoneDescription'])
      .select(['z.requires_email_optin as requiresEmailOptin', 'z.show_files as showFiles'])
      .select([sql<number>`s.files - h.files`.as('fileCount'), 's.members as memberCount'])
      .select(['o.first_name as ownerFirstName', 'o.last_name as ownerLastName'])
      .where('l.token', '=', token)
      .where('z.type', '=', 'private')
      .where('z.deleted_at', 'is', null)
      .where('z.is_active', '=', true)
      .where('o.deactivated_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns the target's active zone and, for a temporary link, its terms; null if the link or its zone is gone. */
  async findLinkWithZone(target: LinkKey): Promise<LinkWithZone | null> {
    const zone = await this.findLinkedZone(target);
    if (!zone || target.linkId === null) return zone && { zone, terms: null };
    const terms = await this.findTerms(this.em, target.linkId);
    return terms && { zone, terms };
  }

  /** Returns the active zone of a link, and locks its type, link and existence until the end of the transaction. */
  async lockLinkedZone(em: EntityManager, target: LinkKey): Promise<LinkZone | null> {
    return (await this.linkedZoneQuery(em, target).forShare().executeTakeFirst()) ?? null;
  }

  async findTerms(em: EntityManager, id: number): Promise<TemporaryLinkTerms | null> {
    const link = await query<Tables>(em)
      .selectFrom('temporary_links')
      .select(['expires_at as expiresAt', 'max_uses as maxUses', 'membership_days as membershipDays'])
      .select(['current_uses as currentUses', 'is_active as isActive'])
      .where('id', '=', id)
      .executeTakeFirst();
    return link ? { ...link, expiresAt: new Date(link.expiresAt) } : null;
  }

  /** Counts a use. @returns false if the link doesn't admit people who asked at `askedAt` */
  async incrementUses(em: EntityManager, id: number, askedAt: Date): Promise<boolean> {
    const updated = await query<Tables>(em)
      .updateTable('temporary_links')
      .set({ current_uses: sql<number>`current_uses + 1` })
      .where('id', '=', id)
      .where('is_active', '=', true)
      .where('expires_at', '>', askedAt)
      .where(sql<boolean>`(max_uses is null or current_uses < max_uses)`)
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  /** Records that somebody may be guessing the password of a link; a time within the last minute stays. */
  async recordPasswordAttack(id: number): Promise<void> {
    const now = this.clock.now();
    await query<Tables>(this.em)
      .updateTable('temporary_links')
      .set({ password_attacked_at: now })
      .where('id', '=', id)
      .where(sql<boolean>`(password_attacked_at is null or password_attacked_at < ${addMilliseconds(now, -MINUTE)})`)
      .execute();
  }

  /**
   * Records that a link has granted its days to a person. The primary key admits only one of several concurrent calls.
   * @returns false if it has granted them before
   */
  async insertRedemption(em: EntityManager, linkId: number, userId: number): Promise<boolean> {
    const inserted = await query<Tables>(em)
      .insertInto('link_grants')
      .values({ link_id: linkId, user_id: userId, granted_at: this.clock.now() })
      .onConflict((conflict) => conflict.columns(['link_id', 'user_id']).doNothing())
      .returning('user_id')
      .executeTakeFirst();
    return inserted !== undefined;
  }

  /** Like `insertRedemption`, for a link that may have been deleted in the meantime. */
  async insertRedemptionIfLinkExists(em: EntityManager, linkId: number, userId: number): Promise<void> {
    await sql`
      insert into link_grants (link_id, user_id, granted_at)
      select id, ${userId}::bigint, ${this.clock.now()}::timestamptz from temporary_links where id = ${linkId}
      on conflict do nothing`.execute(query<Tables>(em));
  }

  /** Returns whether a link that grants a number of days has granted them to the person with this address. */
  async hasRedemption(linkId: number, email: string): Promise<boolean> {
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

  async findMembershipStatus(zoneId: number, email: string): Promise<MembershipStatus> {
    const { rows } = await sql<{ standing: MembershipStatus }>`
      select case
        when exists (select from zone_members where zone_id = ${zoneId} and email = ${email}
          and (expires_at is null or expires_at > ${this.clock.now()})) then 'in'
        when exists (select from join_requests r join users u on u.id = r.user_id
          where r.zone_id = ${zoneId} and u.email = ${email}) then 'asked'
        else 'out' end as standing`.execute(query<Tables>(this.em));
    return rows[0]!.standing;
  }

  /**
   * Returns up to `limit` files at the zone's root by name, or folders if there are no files. Mirrors are left out,
   * because their source zone may not allow showing names.
   */
  async findFirstFiles(zoneId: number, limit: number): Promise<FirstFileDto[]> {
    const { rows } = await sql<FirstFileDto>`
      with first as (
        select original_name as name, mime_type as "mimeType" from files
        where zone_id = ${zoneId} and folder_id is null and trashed_at is null
        order by original_name, id limit ${limit}
      )
      select name, "mimeType" from first
      union all
      (select f.name, null from folders f
        where f.zone_id = ${zoneId} and f.parent_id is null and f.trashed_at is null and not exists (select from first)
          and not exists (select from folder_mirrors m where m.target_folder_id = f.id)
        order by f.name, f.id limit ${limit})`.execute(query(this.em));
    return rows;
  }

  /** @returns the new link's id */
  async insertLink(em: EntityManager, link: NewTemporaryLink): Promise<number> {
    const now = this.clock.now();
    const created = em.create(TemporaryLink, { ...link, createdAt: now, updatedAt: now });
    await em.flush();
    return created.id;
  }

  /** Returns the link locked until the commit, for changes that `saveLink` writes. */
  lockLink(em: EntityManager, id: number): Promise<TemporaryLink | null> {
    return em.findOne(TemporaryLink, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  }

  /** Writes the changes of a locked link. */
  async saveLink(em: EntityManager, link: TemporaryLink): Promise<void> {
    link.updatedAt = this.clock.now();
    await em.flush();
  }

  /** @returns false if it was deleted before */
  async deleteLink(em: EntityManager, id: number): Promise<boolean> {
    const deleted = await query<Tables>(em).deleteFrom('temporary_links').where('id', '=', id).executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  /** Ends all links of a zone. @returns their ids */
  async endLinksOf(em: EntityManager, zoneId: number): Promise<number[]> {
    const now = this.clock.now();
    const ended = await query<Tables>(em)
      .updateTable('temporary_links')
      .set(({ fn, ref, val }) => ({
        is_active: false,
        expires_at: fn<Date>('least', [ref('expires_at'), val(now)]),
        expired_at: now,
        updated_at: now,
      }))
      .where('zone_id', '=', zoneId)
      .returning('id')
      .execute();
    return ended.map(({ id }) => id);
  }

  /** Marks expired links. @returns those that weren't marked before */
  async markExpired(em: EntityManager): Promise<{ id: number; zoneId: number }[]> {
    const now = this.clock.now();
    const ended = await query<Tables>(em)
      .updateTable('temporary_links')
      .set({ expired_at: now })
      .where('expires_at', '<=', now)
      .where('expired_at', 'is', null)
      .returning(['id', 'zone_id'])
      .execute();
    return ended.map(({ id, zone_id: zoneId }) => ({ id, zoneId }));
  }

  async findZoneId(id: number): Promise<number | null> {
    const link = await query<Tables>(this.em)
      .selectFrom('temporary_links')
      .select('zone_id as zoneId')
      .where('id', '=', id)
      .executeTakeFirst();
    return link?.zoneId ?? null;
  }

  /** Returns up to `limit` links of a zone from the cursor on, newest first, and the number of all. */
  async findLinks(
    zoneId: number,
    { limit, cursor }: { limit: number; cursor: string | undefined },
  ): Promise<{ rows: TemporaryLinkRow[]; total: number }> {
    let links = this.linksQuery().where('l.zone_id', '=', zoneId).orderBy('l.id', 'desc').limit(limit);
    if (cursor) links = links.where('l.id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const rows = (await links.execute()).map(toRow);
    const matching = query<Tables>(this.em).selectFrom('temporary_links').where('zone_id', '=', zoneId);
    return { rows, total: await countRows(matching) };
  }

  async findLink(id: number): Promise<TemporaryLinkRow | null> {
    const row = await this.linksQuery().where('l.id', '=', id).executeTakeFirst();
    return row ? toRow(row) : null;
  }

  /** Returns the active zone of a link. A replaced public link and a link of the other kind have none. */
  private async findLinkedZone(target: LinkKey): Promise<LinkZone | null> {
    return (await this.linkedZoneQuery(this.em, target).executeTakeFirst()) ?? null;
  }

  /** Columns that links show of existing zones. */
  private zonePreviewsQuery() {
    return query<Tables>(this.em)
      .selectFrom('zones as z')
      .innerJoin('zone_stats as s', 's.zone_id', 'z.id')
      .innerJoinLateral(hiddenCountsSql(sql.ref('z.id'), null).as('h'), (on) => on.onTrue())
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['z.id as id', 'z.owner_id as ownerId', 'z.name as name', 'z.description as description'])
      .select([
        'z.public_link as publicLink',
        'z.auto_join as autoJoin',
        'z.requires_email_optin as requiresEmailOptin',
        'z.show_files as showFiles',
      ])
      .select([sql<number>`s.files - h.files`.as('fileCount'), 's.members as memberCount'])
      .select(['o.first_name as ownerFirstName', 'o.last_name as ownerLastName', 'o.language as ownerLanguage'])
      .where('z.deleted_at', 'is', null);
  }

  private linkedZoneQuery(em: EntityManager, { zone, linkId, publicLink }: LinkKey) {
    const zones = query<Tables>(em)
      .selectFrom('zones')
      .select(['id', 'name', 'owner_id as ownerId', 'auto_join as autoJoin'])
      .select('requires_email_optin as requiresEmailOptin')
      .where('id', '=', zone.id)
      .where('deleted_at', 'is', null)
      .where('is_active', '=', true);
    if (linkId !== null) return zones.where('type', '=', 'private');
    return zones.where('public_link', '=', publicLink);
  }

  private linksQuery() {
    return query<Tables>(this.em)
      .selectFrom('temporary_links as l')
      .select(['l.id as id', 'l.zone_id as zoneId', 'l.token as token', 'l.name as name', 'l.expires_at as expiresAt'])
      .select(['l.max_uses as maxUses', 'l.current_uses as currentUses', 'l.is_active as isActive'])
      .select(['l.membership_days as membershipDays', 'l.created_by_id as createdById'])
      .select([
        'l.created_at as createdAt',
        'l.updated_at as updatedAt',
        'l.password_attacked_at as passwordAttackedAt',
      ])
      .select(({ eb }) => eb('l.password', 'is not', null).$castTo<boolean>().as('hasPassword'));
  }
}

const toRow = (row: SelectedRow) => ({
  ...row,
  expiresAt: new Date(row.expiresAt),
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
  passwordAttackedAt: row.passwordAttackedAt === null ? null : new Date(row.passwordAttackedAt),
});
