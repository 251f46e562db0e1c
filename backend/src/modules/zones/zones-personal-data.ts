import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import {
  PersonalDataPort,
  type ErasedPerson,
  type ErasureState,
  type Person,
  type PersonalData,
  type Rows,
} from '../auth/personal-data.port.js';
import { ZoneLeaveSchema } from './entities/zone-leave.entity.js';
import { ZoneMemberSchema } from './entities/zone-member.entity.js';
import { ZoneSchema } from './entities/zone.entity.js';
import { MembershipService } from './membership.service.js';
import { SuppressionService } from './suppression.service.js';
import { ZoneRemovalService } from './zone-removal.service.js';
import { consents, joinRequests, leaves, memberships, ownedZones, unsubscribes } from './zones-export.js';

type Tables = typeof ZoneSchema | typeof ZoneMemberSchema | typeof ZoneLeaveSchema;

/**
 * Zones and memberships of people. Consents, unsubscribes and requests to join go with the person's row; records of
 * leaving stay without the person and without the reason that they gave.
 */
@Injectable()
export class ZonesPersonalData implements PersonalData, OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly port: PersonalDataPort,
    private readonly removal: ZoneRemovalService,
    private readonly members: MembershipService,
    private readonly suppressions: SuppressionService,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  sections(em: EntityManager, { id }: Person): Record<string, Rows> {
    return {
      zones: ownedZones(em, id),
      memberships: memberships(em, id),
      consents: consents(em, id),
      joinRequests: joinRequests(em, id),
      unsubscribes: unsubscribes(em, id),
      leaves: leaves(em, id),
    };
  }

  /**
   * Deletes the person's zones, which jobs of their own then empty, takes the person out of the zones of others, and
   * notes the address, so that nobody's import writes to it.
   */
  async erase({ id, email }: ErasedPerson, signal: AbortSignal): Promise<ErasureState> {
    const em = this.em.fork();
    await this.suppressions.add(em, null, email, 'erased');
    for (const zoneId of await this.zonesOf(em, id)) {
      signal.throwIfAborted();
      await this.removal.delete(zoneId, { actorId: null });
    }
    for (const zoneId of await this.joinedBy(em, id)) {
      signal.throwIfAborted();
      await inTransaction(em, (em) => this.leave(em, zoneId, id));
    }
    await query<Tables>(em).updateTable('zone_leaves').set({ reason: null }).where('user_id', '=', id).execute();
    const left = await query<Tables>(em).selectFrom('zones').select('id').where('owner_id', '=', id).executeTakeFirst();
    return left ? 'again' : 'done';
  }

  /** A zone that is being deleted has taken its members out of the counts already: `hold` keeps the two apart. */
  private async leave(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    const zone = await this.members.hold(em, zoneId);
    if (zone) await this.members.remove(em, zone, userId);
  }

  private async zonesOf(em: EntityManager, userId: number): Promise<number[]> {
    const rows = await query<Tables>(em)
      .selectFrom('zones')
      .select('id')
      .where('owner_id', '=', userId)
      .where('deleted_at', 'is', null)
      .execute();
    return rows.map((row) => row.id);
  }

  private async joinedBy(em: EntityManager, userId: number): Promise<number[]> {
    const rows = await query<Tables>(em)
      .selectFrom('zone_members')
      .select('zone_id')
      .where('user_id', '=', userId)
      .where(sql<boolean>`role <> 'owner'`)
      .execute();
    return rows.map((row) => row.zone_id);
  }
}
