import { PurposeKeys } from '../security/purpose-keys.js';
import {
  isSameAccount,
  mailAddress,
  mailServerOf,
  openMailServer,
  renewedPassword,
  sealPassword,
} from './mail-server.js';

const OLD = 'an old secret of these tests, long enough';
const NEW = 'a new secret of these tests, long enough';
const keys = new PurposeKeys([OLD]);
const server = { host: 'mail.example', port: 587, security: 'starttls', user: 'zones@example.org' } as const;
const PASSWORD = 'p:ä@/?#% word';
const stored = (mail = server, password = PASSWORD) => ({
  mail: mailAddress(mail),
  mailPassword: sealPassword(keys, mail, password),
});

describe('the mail server that is set in the page', () => {
  it.each([
    [server, 'smtp://zones%40example.org@mail.example:587'],
    [{ ...server, security: 'tls', port: 465, user: null } as const, 'smtps://mail.example:465'],
    [
      { ...server, host: '2001:db8::1', port: 80, user: 'a:b/c?d#e%f' } as const,
      'smtp://a%3Ab%2Fc%3Fd%23e%25f@[2001:db8::1]:80',
    ],
  ])('is one line, as a variable would give it: %j', (set, line) => {
    expect(mailAddress(set)).toBe(line);
    expect(mailServerOf(line)).toEqual(set);
  });

  it('is read from a variable without its password, with the usual ports', () => {
    expect(mailServerOf('smtps://me:topsecret@mail.example')).toEqual({
      ...{ host: 'mail.example', port: 465, security: 'tls', user: 'me' },
    });
    expect(mailServerOf('smtp://100%25%zz@mail.example').user).toBe('100%%zz');
  });

  it('keeps its password sealed, and opens it for this host and user alone', () => {
    const set = stored();
    expect(set.mailPassword).not.toContain('word');
    const opened = openMailServer(keys, set)!;
    expect(opened).toMatchObject({ server, password: PASSWORD, lost: false });
    expect(decodeURIComponent(new URL(opened.url).password)).toBe(PASSWORD);
    for (const other of [{ host: 'elsewhere.example' }, { user: 'another' }]) {
      const moved = { ...server, ...other };
      expect(isSameAccount(server, moved)).toBe(false);
      const lost = { password: null, lost: true, url: mailAddress(moved) };
      expect(openMailServer(keys, { ...set, mail: mailAddress(moved) })).toMatchObject(lost);
    }
    const port = mailAddress({ ...server, port: 25 });
    expect(openMailServer(keys, { ...set, mail: port })).toMatchObject({ password: PASSWORD });
  });

  it('is lost with the secret, which nobody has to fear a start for, and renewed under another', () => {
    const set = stored();
    expect(openMailServer(new PurposeKeys([NEW]), set)).toMatchObject({ lost: true, password: null });
    expect(openMailServer(keys, { ...set, mailPassword: 'nothing that was sealed' })).toMatchObject({ lost: true });
    expect(renewedPassword(keys, set)).toBeNull();
    expect(renewedPassword(new PurposeKeys([NEW]), set)).toBeNull();
    const renewed = renewedPassword(new PurposeKeys([NEW, OLD]), set)!;
    expect(openMailServer(new PurposeKeys([NEW]), { ...set, mailPassword: renewed })).toMatchObject({
      password: PASSWORD,
    });
  });

  it('is none where nothing is set, or nothing that can be read', () => {
    expect(openMailServer(keys, {})).toBeNull();
    expect(openMailServer(keys, { mail: 'nonsense' })).toBeNull();
    expect(openMailServer(keys, { mail: mailAddress(server) })).toMatchObject({ password: null, lost: false });
  });
});
