import { createPublicKey } from 'node:crypto';
import { freezeList } from '../../constants/freeze-list.js';
import type { DkimConfig } from '../../config/app-config.js';

export const dnsRecordKinds = freezeList(['spf', 'dkim', 'dmarc']);
export const dnsRecordStates = freezeList(['done', 'missing', 'wrong', 'unknown']);
type DnsRecordState = (typeof dnsRecordStates)[number];

/** A DNS record that receiving servers check before accepting emails from a domain. */
export interface SenderDnsRecord {
  readonly kind: (typeof dnsRecordKinds)[number];
  readonly state: DnsRecordState;
  /** The expected record; null when only the mail server's operator knows it. */
  readonly record: { readonly name: string; readonly type: 'TXT'; readonly value: string } | null;
}

/** The TXT values of a name; null when no server responded. */
type TxtValues = readonly string[] | null;

/** SPF includes that large providers require, by suffix of their host names. */
const PROVIDER_INCLUDES: readonly (readonly [host: string, include: string])[] = [
  ['gmail.com', '_spf.google.com'],
  ['office365.com', 'spf.protection.outlook.com'],
  ['amazonaws.com', 'amazonses.com'],
  ['sendgrid.net', 'sendgrid.net'],
  ['mailgun.org', 'mailgun.org'],
  ['postmarkapp.com', 'spf.mtasv.net'],
];

const isInDomain = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);
const txtRecord = (name: string, value: string) => ({ name, type: 'TXT' as const, value });
const splitWords = (value: string) => value.trim().toLowerCase().split(/\s+/);

/** @param host the mail server, or the sending host where there is none; contains a dot */
export function checkSpf(domain: string, host: string | null, texts: TxtValues): SenderDnsRecord {
  const include = PROVIDER_INCLUDES.find(([end]) => host !== null && isInDomain(host, end))?.[1];
  const server = include ? ` include:${include}` : host === null ? '' : ` a:${host}`;
  const record = txtRecord(domain, `v=spf1 mx${server} ~all`);
  return { kind: 'spf', state: spfStateOf(texts, include), record };
}

/**
 * Whether the record authorises the server is up to the receiver. Only records that no receiver accepts are reported as
 * wrong.
 */
function spfStateOf(texts: TxtValues, include: string | undefined): DnsRecordState {
  if (texts === null) return 'unknown';
  const records = texts.map(splitWords).filter(([first]) => first === 'v=spf1');
  const [record] = records;
  if (!record) return 'missing';
  const lacksInclude = include !== undefined && !record.some((word) => word.endsWith(`include:${include}`));
  const isOpen = record.some((word) => word === '+all' || word === 'all');
  return records.length > 1 || lacksInclude || isOpen ? 'wrong' : 'done';
}

/** Name of the record with the public key; null when emails aren't signed by this installation. */
export const dkimRecordName = (dkim: DkimConfig | null): string | null =>
  dkim && `${dkim.selector}._domainkey.${dkim.domain}`;

export function checkDkim(dkim: DkimConfig | null, texts: TxtValues): SenderDnsRecord {
  if (dkim === null) return { kind: 'dkim', state: 'unknown', record: null };
  const key = createPublicKey(dkim.privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  const record = txtRecord(dkimRecordName(dkim)!, `v=DKIM1; k=rsa; p=${key}`);
  if (texts === null) return { kind: 'dkim', state: 'unknown', record };
  const keys = texts.map((text) => /(?:^|;)\s*p\s*=([^;]*)/.exec(text)?.[1]?.replace(/\s/g, ''));
  const found = keys.filter((publicKey) => publicKey !== undefined);
  const state = found.length === 0 ? 'missing' : found.length === 1 && found[0] === key ? 'done' : 'wrong';
  return { kind: 'dkim', state, record };
}

/** Names of the DMARC records that apply to a domain, nearest first: a subdomain inherits from its parent. */
export function dmarcRecordNames(domain: string): string[] {
  const above = domain.split('.').slice(1);
  return [domain, ...(above.length > 1 ? [above.join('.')] : [])].map((name) => `_dmarc.${name}`);
}

/** @param found the TXT values of each of `dmarcRecordNames` */
export function checkDmarc(domain: string, found: readonly TxtValues[]): SenderDnsRecord {
  const record = txtRecord(`_dmarc.${domain}`, 'v=DMARC1; p=none');
  for (const texts of found) {
    if (texts === null) return { kind: 'dmarc', state: 'unknown', record };
    const policies = texts.filter((text) => /^\s*v\s*=\s*DMARC1\s*;/i.test(text));
    if (policies.length === 0) continue;
    const isOne = policies.length === 1 && /;\s*p\s*=\s*(?:none|quarantine|reject)\s*(?:;|$)/i.test(policies[0]!);
    return { kind: 'dmarc', state: isOne ? 'done' : 'wrong', record };
  }
  return { kind: 'dmarc', state: 'missing', record };
}
