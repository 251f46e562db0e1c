import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { SecurityEventLogService } from '../../../platform/security-events/security-event-log.service.js';
import type { SessionOrigin } from '../shared/session-origin.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { KnownDeviceRepository } from './known-device.repository.js';

/** What is known about where a sign-in comes from: the browser, only its network, or nothing. */
export type DeviceTrust = 'device' | 'network' | 'unknown';

/** Stores the browsers in which users have signed in. */
@Injectable()
export class KnownDeviceService {
  constructor(
    private readonly devices: KnownDeviceRepository,
    private readonly jobs: JobsService,
    private readonly securityEvents: SecurityEventLogService,
  ) {}

  /** Tells whether the user of an address has signed in from here before. Runs the same query for unknown addresses. */
  async getDeviceTrust(email: string, origin: SessionOrigin): Promise<DeviceTrust> {
    const rows = await this.devices.findMatchingDevices(email, origin);
    if (rows.some(({ same }) => same)) return 'device';
    return rows.length > 0 ? 'network' : 'unknown';
  }

  /**
   * Records a sign-in, in the caller's transaction. If the user already had another device, a new one is logged as a
   * security event and the user is notified by email.
   * @param origin its `device` is the id in the browser's cookie
   */
  async recordSignIn(em: EntityManager, userId: number, origin: SessionOrigin): Promise<void> {
    const { device, ipAddress } = origin;
    if (!device) return;
    const { id, isNew, hasOtherDevices } = await this.devices.upsertDevice(em, userId, device, origin);
    if (!isNew) return;
    await this.devices.deleteOldestDevices(em, userId);
    if (!hasOtherDevices) return;
    await this.securityEvents.recordEvent(em, { kind: 'new-device', detail: 'sign-in', userId, ipAddress });
    await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'new-device', deviceId: id });
  }
}
