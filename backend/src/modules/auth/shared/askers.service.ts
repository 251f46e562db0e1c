import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { GeoIp } from '../../../platform/http/networks/geo-ip.service.js';
import type { PurposeKey } from '../../../platform/security/purpose-keys.js';
import type { Familiarity } from '../devices/device-registry.service.js';
import { browserName, type Asked } from './browser-words.js';
import type { SessionOrigin } from './session-origin.js';

/**
 * Tells apart who asks for a mail to an address: a browser in which its person has signed in before, or else a network.
 * Whoever asks pushes out only what they asked for themselves (ADR 0031).
 */
@Injectable()
export class Askers {
  private readonly key: PurposeKey;

  constructor(
    config: AppConfig,
    private readonly places: GeoIp,
    private readonly clock: Clock,
  ) {
    this.key = config.keys.for('asker');
  }

  /**
   * What the job of a mail keeps of who asked for it.
   * @param familiarity of the browser to the person of the address: a cookie that anybody can make tells nobody apart
   */
  async note(email: string, origin: SessionOrigin, familiarity: Familiarity = 'unknown'): Promise<Asked> {
    const { country } = await this.places.placeOf(origin.ipAddress);
    const asker = familiarity === 'device' ? this.byDevice(email, origin) : this.byNetwork(email, origin);
    return { asker, country, browser: browserName(origin.userAgent), at: this.clock.now().toISOString() };
  }

  /** Every way in which who comes back may have asked before. */
  ofReturning(email: string, origin: SessionOrigin): string[] {
    return [this.byNetwork(email, origin), this.byDevice(email, origin)];
  }

  private byDevice(email: string, { device }: SessionOrigin): string {
    return this.key.digest('device', device ?? '', email);
  }

  private byNetwork(email: string, { ipAddress }: SessionOrigin): string {
    return this.key.digest('network', networkOf(ipAddress), email);
  }
}
