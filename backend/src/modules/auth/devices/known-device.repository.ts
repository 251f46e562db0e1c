import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { digestOf } from '../../../platform/security/secrets.js';
import type { UserSchema } from '../entities/user.entity.js';
import type { SessionOrigin } from '../shared/session-origin.js';
import { KnownDevice, type KnownDeviceSchema } from './known-device.entity.js';

/** Per user; beyond this the device unused for the longest is deleted. */
const MAX_DEVICES_PER_USER = 20;

type Tables = typeof KnownDeviceSchema | typeof UserSchema;

/** The browsers in which users have signed in. The database stores only digests of the ids in their cookies. */
@Injectable()
export class KnownDeviceRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the devices of the user of an address that have the same id or network, and which is the same device. Runs
   * the same query for unknown addresses.
   */
  findMatchingDevices(
    email: string,
    { device, ipAddress }: Pick<SessionOrigin, 'device' | 'ipAddress'>,
  ): Promise<{ same: boolean }[]> {
    return query<Tables>(this.em.fork())
      .selectFrom('known_devices as d')
      .innerJoin('users as u', 'u.id', 'd.user_id')
      .select(sql<boolean>`d.digest = ${digestOf(device ?? '')}`.as('same'))
      .where('u.email', '=', email)
      .where(sql<boolean>`(d.digest = ${digestOf(device ?? '')} or d.network = ${networkOf(ipAddress)})`)
      .execute();
  }

  findDevice(id: number, userId: number): Promise<KnownDevice | null> {
    return this.em.findOne(KnownDevice, { id, userId });
  }

  /** Records a sign-in in a browser. @param device the id in the browser's cookie */
  async upsertDevice(
    em: EntityManager,
    userId: number,
    device: string,
    { ipAddress, userAgent }: Pick<SessionOrigin, 'ipAddress' | 'userAgent'>,
  ): Promise<{ id: number; isNew: boolean; hasOtherDevices: boolean }> {
    const now = this.clock.now();
    const network = networkOf(ipAddress) || null;
    const browser = userAgent?.slice(0, 500) ?? null;
    const { rows } = await sql<{ id: number; isNew: boolean; hasOtherDevices: boolean }>`
      insert into known_devices as d (user_id, digest, network, user_agent, first_seen_at, last_seen_at)
      values (${userId}, ${digestOf(device)}, ${network}, ${browser}, ${now}, ${now})
      on conflict (user_id, digest) do update
        set network = excluded.network, user_agent = excluded.user_agent, last_seen_at = excluded.last_seen_at
      returning d.id, (xmax = 0) as "isNew",
        exists (select from known_devices o where o.user_id = d.user_id) as "hasOtherDevices"
    `.execute(query<Tables>(em));
    const row = rows[0]!;
    return { ...row, id: Number(row.id) };
  }

  /** Deletes the devices of a user beyond the maximum that have been unused for the longest. */
  async deleteOldestDevices(em: EntityManager, userId: number): Promise<void> {
    await sql`
      delete from known_devices where id in (
        select id from known_devices where user_id = ${userId} order by last_seen_at desc, id desc offset ${MAX_DEVICES_PER_USER}
      )`.execute(query<Tables>(em));
  }

  async deleteUnusedDevices(until: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('known_devices').where('last_seen_at', '<=', until).execute();
  }

  /** Removes the networks of devices that have been unused since an instant. */
  async clearNetworks(until: Date): Promise<void> {
    await query<Tables>(this.em)
      .updateTable('known_devices')
      .set({ network: null })
      .where('last_seen_at', '<=', until)
      .where('network', 'is not', null)
      .execute();
  }
}
