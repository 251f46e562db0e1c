import { DerivedKeys } from '../security/derived-keys.js';
import {
  isSameAccount,
  toSmtpUrl,
  parseSmtpUrl,
  decryptMailServer,
  reencryptPassword,
  encryptPassword,
} from './mail-server.js';

const OLD = 'an old secret of these tests, long enough';
const NEW = 'a new secret of these tests, long enough';
const keys = new DerivedKeys([OLD]);
const server = { host: 'mail.example', port: 587, security: 'starttls', user: 'zones@example.org' } as const;
const PASSWORD = 'p:ä@/?#% word';
const stored = (mail = server, password = PASSWORD) => ({
  mail: toSmtpUrl(mail),
  mailPassword: encryptPassword(keys, mail, password),
});

describe('Mail server settings', () => {
  it.each([
    [server, 'smtp://zones%40example.org@mail.example:587'],
    [{ ...server, security: 'tls', port: 465, user: null } as const, 'smtps://mail.example:465'],
    [
      { ...server, host: '2001:db8::1', port: 80, user: 'a:b/c?d#e%f' } as const,
      'smtp://a%3Ab%2Fc%3Fd%23e%25f@[2001:db8::1]:80',
    ],
  ])('converts settings to an SMTP URL and back: %j', (set, line) => {
    expect(toSmtpUrl(set)).toBe(line);
    expect(parseSmtpUrl(line)).toEqual(set);
  });

  it('reads settings from a variable without the password, with default ports', () => {
    expect(parseSmtpUrl('smtps://me:topsecret@mail.example')).toEqual({
      host: 'mail.example',
      port: 465,
      security: 'tls',
      user: 'me',
    });
    expect(parseSmtpUrl('smtp://100%25%zz@mail.example').user).toBe('100%%zz');
  });

  it('encrypts the password for this host and user only', () => {
    const set = stored();
    expect(set.mailPassword).not.toContain('word');
    const opened = decryptMailServer(keys, set)!;
    expect(opened).toMatchObject({ server, password: PASSWORD, isPasswordLost: false });
    expect(decodeURIComponent(new URL(opened.url).password)).toBe(PASSWORD);
    for (const other of [{ host: 'elsewhere.example' }, { user: 'another' }]) {
      const moved = { ...server, ...other };
      expect(isSameAccount(server, moved)).toBe(false);
      const withoutPassword = { password: null, isPasswordLost: true, url: toSmtpUrl(moved) };
      expect(decryptMailServer(keys, { ...set, mail: toSmtpUrl(moved) })).toMatchObject(withoutPassword);
    }
    const port = toSmtpUrl({ ...server, port: 25 });
    expect(decryptMailServer(keys, { ...set, mail: port })).toMatchObject({ password: PASSWORD });
  });

  it('drops the password if its secret is lost and re-encrypts it with a newer secret', () => {
    const set = stored();
    expect(decryptMailServer(new DerivedKeys([NEW]), set)).toMatchObject({ isPasswordLost: true, password: null });
    expect(decryptMailServer(keys, { ...set, mailPassword: 'nothing that was sealed' })).toMatchObject({
      isPasswordLost: true,
    });
    expect(reencryptPassword(keys, set)).toBeNull();
    expect(reencryptPassword(new DerivedKeys([NEW]), set)).toBeNull();
    const renewed = reencryptPassword(new DerivedKeys([NEW, OLD]), set)!;
    expect(decryptMailServer(new DerivedKeys([NEW]), { ...set, mailPassword: renewed })).toMatchObject({
      password: PASSWORD,
    });
  });

  it('returns null when the stored settings are not readable', () => {
    expect(decryptMailServer(keys, {})).toBeNull();
    expect(decryptMailServer(keys, { mail: 'nonsense' })).toBeNull();
    expect(decryptMailServer(keys, { mail: toSmtpUrl(server) })).toMatchObject({
      password: null,
      isPasswordLost: false,
    });
  });
});
