import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { SecurityEventLogService } from '../../../platform/security-events/security-event-log.service.js';
import { UserSchema } from '../entities/user.entity.js';
import type { SessionOrigin } from '../shared/session-origin.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { KnownDeviceSchema } from './known-device.entity.js';

/** Per user; beyond this the device unused for the longest is deleted. */
const MAX_DEVICES_PER_USER = 20;

/** What is known about where a sign-in comes from: the browser, only its network, or nothing. */
export type DeviceTrust = 'device' | 'network' | 'unknown';

type Tables = typeof KnownDeviceSchema | typeof UserSchema;

/** Stores the browsers in which users have signed in. */
@Injectable()
export class KnownDeviceService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: JobsService,
    private readonly securityEvents: SecurityEventLogService,
  ) {}

  /** Tells whether the user of an address has signed in from here before. Runs the same query for unknown addresses. */
  async getDeviceTrust(email: string, { device, ipAddress }: SessionOrigin): Promise<DeviceTrust> {
    const rows = await query<Tables>(this.em.fork())
      .selectFrom('known_devices as d')
      .innerJoin('users as u', 'u.id', 'd.user_id')
      .select(sql<boolean>`d.digest = ${digestOf(device ?? '')}`.as('same'))
      .where('u.email', '=', email)
      .where(sql<boolean>`(d.digest = ${digestOf(device ?? '')} or d.network = ${networkOf(ipAddress)})`)
      .execute();
    if (rows.some(({ same }) => same)) return 'device';
    return rows.length > 0 ? 'network' : 'unknown';
  }

  /**
   * Records a sign-in, in the caller's transaction. If the user already had another device, a new one is logged as a
   * security event and the user is notified by email.
   * @param origin its `device` is the id in the browser's cookie
   */
  async recordSignIn(
    em: EntityManager,
    userId: number,
    { device, ipAddress, userAgent }: SessionOrigin,
  ): Promise<void> {
    if (!device) return;
    const now = this.clock.now();
    const network = networkOf(ipAddress) || null;
    const browser = userAgent?.slice(0, 500) ?? null;
    const { rows } = await sql<{ id: string; isNew: boolean; hasOtherDevices: boolean }>`
      insert into known_devices as d (user_id, digest, network, user_agent, first_seen_at, last_seen_at)
      values (${userId}, ${digestOf(device)}, ${network}, ${browser}, ${now}, ${now})
      on conflict (user_id, digest) do update
        set network = excluded.network, user_agent = excluded.user_agent, last_seen_at = excluded.last_seen_at
      returning d.id, (xmax = 0) as "isNew",
        exists (select from known_devices o where o.user_id = d.user_id) as "hasOtherDevices"
    `.execute(query<Tables>(em));
    const { id, isNew, hasOtherDevices } = rows[0]!;
    if (!isNew) return;
    await this.deleteOldestDevices(em, userId);
    if (!hasOtherDevices) return;
    await this.securityEvents.recordEvent(em, { kind: 'new-device', detail: 'sign-in', userId, ipAddress });
    await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'new-device', deviceId: Number(id) });
  }

  private async deleteOldestDevices(em: EntityManager, userId: number): Promise<void> {
    await sql`
      delete from known_devices where id in (
        select id from known_devices where user_id = ${userId} order by last_seen_at desc, id desc offset ${MAX_DEVICES_PER_USER}
      )`.execute(query<Tables>(em));
  }
}
