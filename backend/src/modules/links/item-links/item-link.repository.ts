import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import { addMilliseconds, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { query } from '../../../platform/database/query.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { countRows } from '../../../platform/http/lists/list.js';
import type { ViewingKind } from '../../activity/entities/viewing.entity.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { FileSchema } from '../../files/entities/file.entity.js';
import type { FolderSchema } from '../../files/entities/folder.entity.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { ItemGuest, type ItemGuestSchema } from '../entities/item-guest.entity.js';
import { ItemLink, type ItemLinkSchema } from '../entities/item-link.entity.js';
import type { ItemLinkTerms } from './item-link.policy.js';

type Tables =
  | typeof ItemLinkSchema
  | typeof ItemGuestSchema
  | typeof FileSchema
  | typeof FolderSchema
  | typeof ZoneSchema
  | typeof UserSchema;

/** The file or folder to which a link leads; exactly one id is set. */
export interface LinkedItem {
  /** Its zone at this moment. */
  readonly zoneId: number;
  readonly fileId: number | null;
  readonly folderId: number | null;
}

interface NewItemLink extends LinkedItem {
  readonly name: string;
  readonly token: string;
  readonly expiresAt: Date | null;
  readonly maxUses: number | null;
  readonly password: string | null;
  readonly needsEmail: boolean;
  readonly allowDownload: boolean;
  readonly requestFolderId: number | null;
  readonly createdById: number;
}

/** A link as its owner sees it. */
export type ItemLinkRow = ReturnType<typeof toRow>;
type SelectedRow = Awaited<ReturnType<ReturnType<ItemLinkRepository['linksQuery']>['execute']>>[number];

/** A visitor's link with the names of the zone's owner. */
export type VisitedLink = NonNullable<Awaited<ReturnType<ItemLinkRepository['findByToken']>>>;

export interface Guest {
  readonly id: number;
  readonly email: string | null;
  readonly key: string;
  /** False if other browsers with the same address may be the same guest. */
  readonly canSend: boolean;
}

interface PageQuery {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Links to files and folders, and their guests. Uses are counted by one conditional update. */
@Injectable()
export class ItemLinkRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns a visitor's link if its zone is active and the zone's owner is active. */
  async findByToken(token: string) {
    const row = await this.visitedLinksQuery(this.em, token).executeTakeFirst();
    return row ? { ...row, expiresAt: toDate(row.expiresAt) } : null;
  }

  /** Returns the same, and keeps the link from being changed or deleted until the commit. */
  async lockByToken(em: EntityManager, token: string): Promise<VisitedLink | null> {
    const row = await this.visitedLinksQuery(em, token).forShare('l').executeTakeFirst();
    return row ? { ...row, expiresAt: toDate(row.expiresAt) } : null;
  }

  private visitedLinksQuery(em: EntityManager, token: string) {
    return query<Tables>(em)
      .selectFrom('item_links as l')
      .leftJoin('files as f', 'f.id', 'l.file_id')
      .leftJoin('folders as d', 'd.id', 'l.folder_id')
      .innerJoin('zones as z', (join) => join.on('z.id', '=', itemZoneId))
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['l.id as id', 'l.token as token', 'z.id as zoneId', 'l.file_id as fileId'])
      .select(['l.folder_id as folderId', 'l.password as password', 'l.expires_at as expiresAt'])
      .select(['l.max_uses as maxUses', 'l.current_uses as currentUses', 'l.is_active as isActive'])
      .select(['l.needs_email as needsEmail', 'l.allow_download as allowDownload'])
      .select('l.request_folder_id as requestFolderId')
      .select(['z.owner_id as ownerId', 'o.first_name as ownerFirstName', 'o.last_name as ownerLastName'])
      .where('l.token', '=', token)
      .where('z.deleted_at', 'is', null)
      .where('z.is_active', '=', true)
      .where('o.deactivated_at', 'is', null);
  }

  async findGuest(linkId: number, id: number): Promise<Guest | null> {
    const guest = await query<Tables>(this.em)
      .selectFrom('item_guests')
      .select(guestColumns)
      .where('id', '=', id)
      .where('link_id', '=', linkId)
      .executeTakeFirst();
    return guest ?? null;
  }

  /** Returns the guest and notes the visit, in the transaction that stores the guest's files. Null if it was deleted. */
  async touchSender(em: EntityManager, linkId: number, id: number): Promise<Guest | null> {
    const guest = await query<Tables>(em)
      .updateTable('item_guests')
      .set({ last_at: this.clock.now() })
      .where('id', '=', id)
      .where('link_id', '=', linkId)
      .returning(guestColumns)
      .executeTakeFirst();
    return guest ?? null;
  }

  /**
   * Returns the guest with this address and notes the return, or null. Guests who may have sent files are left out:
   * the address isn't verified.
   */
  async touchGuest(em: EntityManager, linkId: number, email: string): Promise<Guest | null> {
    const guest = await query<Tables>(em)
      .updateTable('item_guests')
      .set({ last_at: this.clock.now() })
      .where('link_id', '=', linkId)
      .where('email', '=', email)
      .where('can_send', '=', false)
      .returning(guestColumns)
      .executeTakeFirst();
    return guest ?? null;
  }

  async setGuestEmail(em: EntityManager, id: number, email: string): Promise<void> {
    await query<Tables>(em)
      .updateTable('item_guests')
      .set({ email, last_at: this.clock.now() })
      .where('id', '=', id)
      .execute();
  }

  /** Lets an earlier guest send files. The new key makes the cookies of other browsers worthless. */
  async makeSender(em: EntityManager, { id, key }: Guest, email: string): Promise<Guest | null> {
    const guest = await query<Tables>(em)
      .updateTable('item_guests')
      .set({ can_send: true, key: randomUUID(), email, last_at: this.clock.now() })
      .where('id', '=', id)
      .where('key', '=', key)
      .where('can_send', '=', false)
      .returning(guestColumns)
      .executeTakeFirst();
    return guest ?? null;
  }

  async insertGuest(em: EntityManager, linkId: number, email: string | null, canSend: boolean): Promise<Guest> {
    const now = this.clock.now();
    const guest = em.create(ItemGuest, { linkId, email, key: randomUUID(), canSend, firstAt: now, lastAt: now });
    await em.flush();
    return { id: guest.id, email, key: guest.key, canSend };
  }

  /**
   * Returns what decides whom a link admits, and locks the link until the commit, so that people with the same address
   * enter one after the other. Null if it has been deleted.
   */
  async lockTerms(em: EntityManager, id: number): Promise<ItemLinkTerms | null> {
    const link = await query<Tables>(em)
      .selectFrom('item_links')
      .select(['expires_at as expiresAt', 'max_uses as maxUses', 'current_uses as currentUses'])
      .select(['is_active as isActive', 'needs_email as needsEmail', 'request_folder_id as requestFolderId'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return link ? { ...link, expiresAt: toDate(link.expiresAt) } : null;
  }

  /** Counts a use. @returns false if the link doesn't admit new guests at this moment */
  async incrementUses(em: EntityManager, id: number): Promise<boolean> {
    const updated = await query<Tables>(em)
      .updateTable('item_links')
      .set({ current_uses: sql<number>`current_uses + 1` })
      .where('id', '=', id)
      .where('is_active', '=', true)
      .where(sql<boolean>`(expires_at is null or expires_at > ${this.clock.now()})`)
      .where(sql<boolean>`(max_uses is null or current_uses < max_uses)`)
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  /** Records that somebody may be guessing the password of a link; a time within the last minute stays. */
  async recordPasswordAttack(id: number): Promise<void> {
    const now = this.clock.now();
    await query<Tables>(this.em)
      .updateTable('item_links')
      .set({ password_attacked_at: now })
      .where('id', '=', id)
      .where(sql<boolean>`(password_attacked_at is null or password_attacked_at < ${addMilliseconds(now, -MINUTE)})`)
      .execute();
  }

  /** Adds newly counted views or downloads to those of a guest. */
  async addOpenings(guestId: number, kind: ViewingKind, count: number): Promise<void> {
    const now = this.clock.now();
    const guests = query<Tables>(this.em).updateTable('item_guests').where('id', '=', guestId);
    await (
      kind === 'view'
        ? guests.set({ views: sql<number>`views + ${count}`, last_at: now })
        : guests.set({ downloads: sql<number>`downloads + ${count}`, last_at: now })
    ).execute();
  }

  /** @returns the new link's id; null if the item has been deleted meanwhile */
  async insertLink(em: EntityManager, link: NewItemLink): Promise<number | null> {
    const now = this.clock.now();
    const { fileId, folderId } = link;
    const { rows } = await sql<{ id: string }>`
      insert into item_links (file_id, folder_id, name, token, expires_at, max_uses, password, needs_email,
        allow_download, request_folder_id, created_by_id, created_at, updated_at)
      select ${fileId}::bigint, ${folderId}::bigint, ${link.name}::varchar, ${link.token}::varchar,
        ${link.expiresAt}::timestamptz, ${link.maxUses}::int, ${link.password}::varchar, ${link.needsEmail}::boolean,
        ${link.allowDownload}::boolean, ${link.requestFolderId}::bigint, ${link.createdById}::bigint, ${now}::timestamptz, ${now}::timestamptz
      from ${sql.table(fileId === null ? 'folders' : 'files')} i
      where i.id = ${fileId ?? folderId}::bigint and i.zone_id = ${link.zoneId} and i.trashed_at is null
      for key share
      returning id`.execute(query<Tables>(em));
    return rows[0] ? Number(rows[0].id) : null;
  }

  /** Returns the link locked until the commit, for changes that `saveLink` writes. */
  lockLink(em: EntityManager, id: number): Promise<ItemLink | null> {
    return em.findOne(ItemLink, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  }

  /** Writes the changes of a locked link. */
  async saveLink(em: EntityManager, link: ItemLink): Promise<void> {
    link.updatedAt = this.clock.now();
    await em.flush();
  }

  /** @returns false if it was deleted before */
  async deleteLink(em: EntityManager, id: number): Promise<boolean> {
    const deleted = await query<Tables>(em).deleteFrom('item_links').where('id', '=', id).executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  /** Returns the zone of the link's item. */
  async findZoneId(id: number): Promise<number | null> {
    const link = await this.findLink(id);
    return link?.zoneId ?? null;
  }

  /** Returns up to `limit` links to an item from the cursor on, newest first, and the number of all. */
  findLinks({ fileId, folderId }: LinkedItem, page: PageQuery): Promise<{ rows: ItemLinkRow[]; total: number }> {
    return this.findPage(
      fileId === null ? sql<boolean>`l.folder_id = ${folderId}::bigint` : sql<boolean>`l.file_id = ${fileId}::bigint`,
      page,
    );
  }

  /**
   * Returns up to `limit` links to the items of a zone from the cursor on, newest first, and the number of all. Includes
   * those to items in the trash.
   */
  findZoneLinks(zoneId: number, page: PageQuery): Promise<{ rows: ItemLinkRow[]; total: number }> {
    return this.findPage(this.isInZone(zoneId), page);
  }

  /** Not by the joined zone: that would read the links of all zones. */
  private isInZone(zoneId: number): RawBuilder<boolean> {
    return sql<boolean>`l.id in (
      select x.id from item_links x join files i on i.id = x.file_id where i.zone_id = ${zoneId}::bigint
      union all
      select x.id from item_links x join folders i on i.id = x.folder_id where i.zone_id = ${zoneId}::bigint)`;
  }

  async findLink(id: number): Promise<ItemLinkRow | null> {
    const row = await this.linksQuery().where('l.id', '=', id).executeTakeFirst();
    return row ? toRow(row) : null;
  }

  /** Returns up to `limit` guests of a link from the cursor on, newest first, and the number of all. */
  async findGuests(linkId: number, { limit, cursor }: PageQuery) {
    const matching = query<Tables>(this.em).selectFrom('item_guests').where('link_id', '=', linkId);
    let guests = matching
      .select(['id', 'email', 'first_at as firstAt', 'last_at as lastAt', 'views', 'downloads'])
      .orderBy('id', 'desc')
      .limit(limit);
    if (cursor) guests = guests.where('id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const rows = await guests.execute();
    return {
      rows: rows.map((row) => ({ ...row, firstAt: new Date(row.firstAt), lastAt: new Date(row.lastAt) })),
      total: await countRows(matching),
    };
  }

  private async findPage(condition: RawBuilder<boolean>, { limit, cursor }: PageQuery) {
    let links = this.linksQuery().where(condition);
    if (cursor) links = links.where('l.id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const rows = await links.orderBy('l.id', 'desc').limit(limit).execute();
    const matching = query<Tables>(this.em).selectFrom('item_links as l').where(condition);
    return { rows: rows.map(toRow), total: await countRows(matching) };
  }

  private linksQuery() {
    return query<Tables>(this.em)
      .selectFrom('item_links as l')
      .leftJoin('files as f', 'f.id', 'l.file_id')
      .leftJoin('folders as d', 'd.id', 'l.folder_id')
      .select(['l.id as id', itemZoneId.as('zoneId'), 'l.file_id as fileId', 'l.folder_id as folderId'])
      .select(['l.token as token', 'l.name as name', 'l.expires_at as expiresAt', 'l.max_uses as maxUses'])
      .select(['l.current_uses as currentUses', 'l.is_active as isActive', 'l.needs_email as needsEmail'])
      .select(['l.allow_download as allowDownload', 'l.created_by_id as createdById'])
      .select(sql<boolean>`l.request_folder_id is not null`.as('allowUploads'))
      .select(
        sql<boolean>`exists (select from file_requests q where q.folder_id = l.folder_id)`.as('isFolderRequesting'),
      )
      .select([
        'l.created_at as createdAt',
        'l.updated_at as updatedAt',
        'l.password_attacked_at as passwordAttackedAt',
      ])
      .select(sql<string>`coalesce(f.original_name, d.name)`.as('itemName'))
      .select(sql<number | null>`coalesce(f.folder_id, d.parent_id)`.as('parentFolderId'))
      .select(sql<boolean>`coalesce(f.trashed_at, d.trashed_at) is not null`.as('isInTrash'))
      .select(
        sql<string | null>`greatest(l.removed_guest_visit_at,
          (select max(g.last_at) from item_guests g where g.link_id = l.id))`.as('lastVisitAt'),
      )
      .select(({ eb }) => eb('l.password', 'is not', null).$castTo<boolean>().as('hasPassword'))
      .select(
        sql<string>`l.removed_guest_views +
          (select coalesce(sum(g.views), 0) from item_guests g where g.link_id = l.id)`.as('views'),
      )
      .select(
        sql<string>`l.removed_guest_downloads +
          (select coalesce(sum(g.downloads), 0) from item_guests g where g.link_id = l.id)`.as('downloads'),
      );
  }
}

const guestColumns = freezeList(['id', 'email', 'key', 'can_send as canSend']);

/** Every link has a file or a folder, so this is never null. */
const itemZoneId = sql<number>`coalesce(f.zone_id, d.zone_id)`;

const toDate = (value: Date | string | null): Date | null => (value === null ? null : new Date(value));

const toRow = (row: SelectedRow) => ({
  ...row,
  expiresAt: toDate(row.expiresAt),
  createdAt: new Date(row.createdAt),
  updatedAt: new Date(row.updatedAt),
  lastVisitAt: toDate(row.lastVisitAt),
  passwordAttackedAt: toDate(row.passwordAttackedAt),
  views: Number(row.views),
  downloads: Number(row.downloads),
});
