import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { GeoIpService } from '../../../platform/http/networks/geo-ip.service.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import type { DeviceTrust } from '../devices/known-device.service.js';
import { toBrowserName, type RequestOrigin } from './user-agent-label.js';
import type { SessionOrigin } from './session-origin.js';

/**
 * Distinguishes requesters of emails to an address: by browser if its owner has signed in there before, otherwise by
 * network. A requester can displace only their own requests (ADR 0031).
 */
@Injectable()
export class RequesterFingerprintService {
  private readonly key: DerivedKey;

  constructor(
    config: AppConfig,
    private readonly geoIp: GeoIpService,
    private readonly clock: Clock,
  ) {
    this.key = config.keys.forPurpose('asker');
  }

  /**
   * Returns what the email job stores about the requester.
   * @param deviceTrust of the browser for the address; a device cookie that anyone can create identifies no one
   */
  async describeRequest(
    email: string,
    origin: SessionOrigin,
    deviceTrust: DeviceTrust = 'unknown',
  ): Promise<RequestOrigin> {
    const { country } = await this.geoIp.locate(origin.ipAddress);
    const requesterId =
      deviceTrust === 'device' ? this.fingerprintOfDevice(email, origin) : this.fingerprintOfNetwork(email, origin);
    return {
      asker: requesterId,
      country,
      browser: toBrowserName(origin.userAgent),
      at: this.clock.now().toISOString(),
    };
  }

  /** Returns all fingerprints under which this requester may have made an earlier request. */
  listPossibleFingerprints(email: string, origin: SessionOrigin): string[] {
    return [this.fingerprintOfNetwork(email, origin), this.fingerprintOfDevice(email, origin)];
  }

  private fingerprintOfDevice(email: string, { device }: SessionOrigin): string {
    return this.key.digest('device', device ?? '', email);
  }

  private fingerprintOfNetwork(email: string, { ipAddress }: SessionOrigin): string {
    return this.key.digest('network', networkOf(ipAddress), email);
  }
}
