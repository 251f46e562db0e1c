import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { dkimRecordName, checkDkim, dmarcRecordNames, checkDmarc, checkSpf } from './sender-dns-records.js';

describe('Sender DNS records', () => {
  it.each([
    [null, 'unknown'],
    [[], 'missing'],
    [['google-site-verification=x'], 'missing'],
    [['v=spf1 ip4:192.0.2.1 -all', 'other'], 'done'],
    [['v=spf1 mx ~all', 'v=spf1 a ~all'], 'wrong'],
    [['v=spf1 mx +all'], 'wrong'],
    [['v=spf10 mx'], 'missing'],
  ])('SPF %j is %s', (texts, state) => {
    expect(checkSpf('example.org', 'mail.example', texts)).toEqual({
      kind: 'spf',
      state,
      record: { name: 'example.org', type: 'TXT', value: 'v=spf1 mx a:mail.example ~all' },
    });
  });

  it('suggests the SPF entry of large providers', () => {
    const spf = (...texts: string[]) => checkSpf('example.org', 'email-smtp.eu-west-1.amazonaws.com', texts);
    expect(spf().record!.value).toBe('v=spf1 mx include:amazonses.com ~all');
    expect(spf('v=spf1 mx -all').state).toBe('wrong');
    expect(spf('V=SPF1 Include:AmazonSES.com -all').state).toBe('done');
    expect(checkSpf('example.org', 'notgmail.com', []).record!.value).toBe('v=spf1 mx a:notgmail.com ~all');
    expect(checkSpf('example.org', null, []).record!.value).toBe('v=spf1 mx ~all');
  });

  it('compares the DKIM key with the signing key', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const key = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
    const dkim = { domain: 'example.org', selector: 's1', privateKey };
    expect(dkimRecordName(dkim)).toBe('s1._domainkey.example.org');
    const state = (...texts: string[]) => checkDkim(dkim, texts).state;
    expect(checkDkim(dkim, null)).toEqual({
      kind: 'dkim',
      state: 'unknown',
      record: { name: 's1._domainkey.example.org', type: 'TXT', value: `v=DKIM1; k=rsa; p=${key}` },
    });
    expect(state()).toBe('missing');
    expect(state(`v=DKIM1; p=${key.slice(0, 50)} ${key.slice(50)}`)).toBe('done');
    expect(state(`v=DKIM1; k=rsa; p=${key.toLowerCase()}`)).toBe('wrong');
    expect(state('v=DKIM1; p=')).toBe('wrong');
    expect([dkimRecordName(null), checkDkim(null, [])]).toEqual([
      null,
      { kind: 'dkim', state: 'unknown', record: null },
    ]);
  });

  it.each([
    [[null], 'unknown'],
    [[[]], 'missing'],
    [[['v=DMARC1; p=none']], 'done'],
    [[['v=DMARC1;p=reject; rua=mailto:a@b.example']], 'done'],
    [[['v=DMARC1; rua=mailto:a@b.example']], 'wrong'],
    [[['v=DMARC1; p=none', 'v=DMARC1; p=reject']], 'wrong'],
    [[[], ['v=DMARC1; p=reject']], 'done'],
    [[[], []], 'missing'],
  ])('DMARC %j is %s', (found, state) => {
    expect(checkDmarc('example.org', found)).toEqual({
      kind: 'dmarc',
      state,
      record: { name: '_dmarc.example.org', type: 'TXT', value: 'v=DMARC1; p=none' },
    });
  });

  it('looks up DMARC for a subdomain and its parent only', () => {
    expect(dmarcRecordNames('example.org')).toEqual(['_dmarc.example.org']);
    expect(dmarcRecordNames('mail.example.org')).toEqual(['_dmarc.mail.example.org', '_dmarc.example.org']);
  });
});
