import { createHash, createVerify } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** True when an address carries a signature (V4, RSA) of the key's owner that has not expired. */
export function isSigned(url: URL, { method }: IncomingMessage, publicKey: string): boolean {
  const signature = url.searchParams.get('X-Goog-Signature') ?? '';
  const date = url.searchParams.get('X-Goog-Date') ?? '';
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const from = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const until = from + Number(url.searchParams.get('X-Goog-Expires')) * 1000;
  if (!(Date.now() >= from - 1000 && Date.now() < until)) return false;
  const query = [...url.searchParams]
    .filter(([key]) => key !== 'X-Goog-Signature')
    .map(([key, value]) => `${encode(key)}=${encode(value)}`)
    .sort()
    .join('&');
  const canonical = [method, url.pathname, query, 'host:127.0.0.1', '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const scope = url.searchParams.get('X-Goog-Credential')!.split('/').slice(1).join('/');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const signed = ['GOOG4-RSA-SHA256', date, scope, digest].join('\n');
  return createVerify('RSA-SHA256').update(signed).verify(publicKey, Buffer.from(signature, 'hex'));
}
