import { createHash, createVerify } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const encodeRfc3986 = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Whether a URL carries an unexpired V4 RSA signature by the key's owner. */
export function hasValidSignature(url: URL, { method }: IncomingMessage, publicKey: string): boolean {
  const signature = url.searchParams.get('X-Goog-Signature') ?? '';
  const date = url.searchParams.get('X-Goog-Date') ?? '';
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const validFrom = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  const validUntil = validFrom + Number(url.searchParams.get('X-Goog-Expires')) * 1000;
  if (!(Date.now() >= validFrom - 1000 && Date.now() < validUntil)) return false;
  const query = [...url.searchParams]
    .filter(([key]) => key !== 'X-Goog-Signature')
    .map(([key, value]) => `${encodeRfc3986(key)}=${encodeRfc3986(value)}`)
    .sort()
    .join('&');
  const canonical = [method, url.pathname, query, 'host:127.0.0.1', '', 'host', 'UNSIGNED-PAYLOAD'].join('\n');
  const scope = url.searchParams.get('X-Goog-Credential')!.split('/').slice(1).join('/');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const stringToSign = ['GOOG4-RSA-SHA256', date, scope, digest].join('\n');
  return createVerify('RSA-SHA256').update(stringToSign).verify(publicKey, Buffer.from(signature, 'hex'));
}
