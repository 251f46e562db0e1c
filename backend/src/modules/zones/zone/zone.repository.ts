import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { DeletedZoneSchema } from '../entities/deleted-zone.entity.js';
import { ZoneStats } from '../entities/zone-stats.entity.js';
import { Zone, type ZoneSchema, type ZoneType } from '../entities/zone.entity.js';
import type { MembershipZone } from '../zones.events.js';

type Tables = typeof ZoneSchema | typeof DeletedZoneSchema;

/** The fields that a new zone gets from its creator. */
export type NewZone = Pick<
  Zone,
  'name' | 'description' | 'ownerId' | 'type' | 'autoJoin' | 'requiresEmailOptin' | 'showFiles' | 'publicLink'
>;

/** A zone that is locked against deletion. */
export type LockedZone = MembershipZone & { readonly type: ZoneType };

/** Zones, and the names of deleted ones. */
@Injectable()
export class ZoneRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Inserts a zone with its row of counters. */
  async insertZone(em: EntityManager, zone: NewZone): Promise<Zone> {
    const now = this.clock.now();
    const created = em.create(Zone, { ...zone, createdAt: now, updatedAt: now });
    await em.flush();
    em.create(ZoneStats, { zoneId: created.id });
    await em.flush();
    return created;
  }

  /** Returns the zone for changes of its settings, locked until the commit. Throws for an unknown id. */
  lockZoneForUpdate(em: EntityManager, id: number): Promise<Zone> {
    return em.findOneOrFail(Zone, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  }

  /** Writes the changes of a locked zone. */
  async saveZone(em: EntityManager, zone: Zone): Promise<void> {
    zone.updatedAt = this.clock.now();
    await em.flush();
  }

  /**
   * Locks a zone against deletion until the commit. A deletion removes its members from the counters, so members who
   * join or leave meanwhile would be miscounted.
   * @returns null if the zone is already deleted
   */
  async lockZone(em: EntityManager, id: number): Promise<LockedZone | null> {
    const zone = await query<Tables>(em)
      .selectFrom('zones')
      .select(['id', 'owner_id as ownerId', 'name', 'type'])
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forShare()
      .executeTakeFirst();
    return zone ?? null;
  }

  /**
   * Locks the zones to which a person belongs or is invited, in id order, against deletion until the commit. A deletion
   * updates counters by address.
   * @param oldEmail the previous address, to which invitations may exist too
   */
  async lockZonesOfPerson(em: EntityManager, user: { id: number; email: string }, oldEmail: string): Promise<void> {
    await sql`
      select id from zones where deleted_at is null and (
        id in (select zone_id from zone_members where user_id = ${user.id})
        or id in (select zone_id from invitations where email in (${oldEmail}, ${user.email})))
      order by id for share`.execute(query<Tables>(em));
  }

  /** Returns the owner of a zone, also of a deleted one that is not purged yet; null if there is none. */
  async findOwner(id: number): Promise<number | null> {
    const zone = await this.em.findOne(Zone, { id }, { fields: ['ownerId'], disableIdentityMap: true });
    return zone?.ownerId ?? null;
  }

  /** Returns a zone; null if it is deleted. */
  findZone(id: number): Promise<Zone | null> {
    return this.em.findOne(Zone, { id, deletedAt: null });
  }

  /** Returns a zone as the transaction sees it; null if it is deleted. */
  findZoneIn(em: EntityManager, id: number): Promise<Zone | null> {
    return em.findOne(Zone, { id, deletedAt: null });
  }

  /** Returns the name of a zone; null if it is deleted. */
  async findName(id: number): Promise<string | null> {
    return (await this.findZone(id))?.name ?? null;
  }

  /** Returns the name of a zone as the transaction sees it. Throws for an unknown id. */
  async getName(em: EntityManager, id: number): Promise<string> {
    return (await em.findOneOrFail(Zone, { id })).name;
  }

  /** @returns false if the zone is private */
  async updatePublicLink(em: EntityManager, id: number, publicLink: string): Promise<boolean> {
    const updated = await query<Tables>(em)
      .updateTable('zones')
      .set({ public_link: publicLink, updated_at: this.clock.now() })
      .where('id', '=', id)
      .where('type', '=', 'public')
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  /**
   * Makes a zone inaccessible.
   * @returns null if it is deleted already
   */
  async markDeleted(em: EntityManager, id: number): Promise<{ ownerId: number; name: string } | null> {
    const zone = await query<Tables>(em)
      .updateTable('zones')
      .set({ deleted_at: this.clock.now() })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning(['owner_id as ownerId', 'name'])
      .executeTakeFirst();
    return zone ?? null;
  }

  /** Returns all zones of an owner, including deleted ones that are not purged yet. */
  listOwnedZones(ownerId: number): Promise<{ id: number; deletedAt: Date | null }[]> {
    return query<Tables>(this.em.fork())
      .selectFrom('zones')
      .select(['id', 'deleted_at as deletedAt'])
      .where('owner_id', '=', ownerId)
      .execute();
  }

  /** Returns the ids of all owners, in order. */
  async listOwners(): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`select distinct owner_id as id from zones order by owner_id`.execute(
      query<Tables>(this.em),
    );
    return rows.map(({ id }) => Number(id));
  }

  /** Returns the owner of a deleted zone that is not purged yet. */
  async findOwnerOfDeletedZone(id: number): Promise<number | null> {
    const zone = await query<Tables>(this.em)
      .selectFrom('zones')
      .select('owner_id')
      .where('id', '=', id)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst();
    return zone?.owner_id ?? null;
  }

  /**
   * Deletes the row of a deleted zone and its dependents. Keeps the name for consents, unsubscribes, leave records and
   * reports.
   */
  async purgeZone(id: number): Promise<void> {
    await sql`
      with deleted as (delete from zones where id = ${id} and deleted_at is not null returning id, name, owner_id, deleted_at)
      insert into deleted_zones (id, name, owner_id, deleted_at) select id, name, owner_id, deleted_at from deleted`.execute(
      query<Tables>(this.em),
    );
  }
}
