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
 * Tells apart who asks for a mail to an address: a browser in which its person has signed in before, or else a network.
 * Whoever asks pushes out only what they asked for themselves (ADR 0031).
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
   * What the job of a mail keeps of who asked for it.
   * @param familiarity of the browser to the person of the address: a cookie that anybody can make tells nobody apart
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

  /** Every way in which who comes back may have asked before. */
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
