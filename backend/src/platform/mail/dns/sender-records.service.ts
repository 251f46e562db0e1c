import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { Dns } from './dns.js';
import { dkimName, dkimOf, dmarcNames, dmarcOf, spfOf, type MailRecord } from './mail-records.js';

export interface SenderRecords {
  /** Of the sender; null where it is none that the DNS could know. */
  readonly domain: string | null;
  readonly records: readonly MailRecord[];
}

/** What the DNS says of the domain from which mails come. */
@Injectable()
export class SenderRecordsService {
  constructor(
    private readonly config: AppConfig,
    private readonly dns: Dns,
  ) {}

  async look(): Promise<SenderRecords> {
    const domain = /@([\w-]+(?:\.[\w-]+)+)>?\s*$/.exec(this.config.mailFrom)?.[1]?.toLowerCase();
    if (domain === undefined) return { domain: null, records: [] };
    const { dkim } = this.config;
    const name = dkimName(dkim);
    const [spf, key, ...policies] = await Promise.all([
      this.dns.texts(domain),
      name === null ? null : this.dns.texts(name),
      ...dmarcNames(domain).map((one) => this.dns.texts(one)),
    ]);
    return { domain, records: [spfOf(domain, this.host(), spf), dkimOf(dkim, key), dmarcOf(domain, policies)] };
  }

  /** The mail server by a name that means the same everywhere. */
  private host(): string | null {
    const host = this.config.mailServer.server?.host.toLowerCase() ?? '';
    return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*$/.test(host) ? host : null;
  }
}
