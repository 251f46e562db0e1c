import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { DnsTxtResolver } from './dns-txt-resolver.js';
import {
  dkimRecordName,
  checkDkim,
  dmarcRecordNames,
  checkDmarc,
  checkSpf,
  type SenderDnsRecord,
} from './sender-dns-records.js';

export interface SenderRecords {
  /** The sender's domain; null if it isn't a public domain name. */
  readonly domain: string | null;
  readonly records: readonly SenderDnsRecord[];
}

/** Checks the DNS records of the sender's domain. */
@Injectable()
export class SenderRecordsService {
  constructor(
    private readonly config: AppConfig,
    private readonly dnsResolver: DnsTxtResolver,
  ) {}

  async checkRecords(): Promise<SenderRecords> {
    const domain = /@([\w-]+(?:\.[\w-]+)+)>?\s*$/.exec(this.config.mailFrom)?.[1]?.toLowerCase();
    if (domain === undefined) return { domain: null, records: [] };
    const { dkim } = this.config;
    const name = dkimRecordName(dkim);
    const [spf, key, ...policies] = await Promise.all([
      this.dnsResolver.resolveTexts(domain),
      name === null ? null : this.dnsResolver.resolveTexts(name),
      ...dmarcRecordNames(domain).map((recordName) => this.dnsResolver.resolveTexts(recordName)),
    ]);
    return {
      domain,
      records: [checkSpf(domain, this.publicHost(), spf), checkDkim(dkim, key), checkDmarc(domain, policies)],
    };
  }

  /** Returns the mail server's host if it is a public name, else null. */
  private publicHost(): string | null {
    const host = this.config.mailServer.server?.host.toLowerCase() ?? '';
    return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*$/.test(host) ? host : null;
  }
}
