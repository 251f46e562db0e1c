import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppConfig } from '../../src/platform/config/app-config.js';
import { ConfigError } from '../../src/platform/config/read-variables.js';
import { DerivedKeys } from '../../src/platform/security/derived-keys.js';
import { variables } from '../../src/platform/config/variables.js';

const dataDir = mkdtempSync(join(tmpdir(), 'zonary-config-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

const project = join(import.meta.dirname, '../../..');
const read = (env: Record<string, string>) => AppConfig.from({ DATA_DIR: dataDir, ...env });
const keyOfThis = ({ keys }: AppConfig) => keys.forPurpose('this').newest;
const keyOfSecret = (secret: string) => new DerivedKeys([secret]).forPurpose('this').newest;
const textOf = (file: string) => readFileSync(join(project, 'backend/src', file), 'utf8');
const sources = () =>
  readdirSync(join(project, 'backend/src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.spec)\.ts$/.test(file),
  );

describe('Configuration', () => {
  it('documents every variable with default and meaning in docs/operations/configuration.md', () => {
    const page = readFileSync(join(project, 'docs/operations/configuration.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([A-Z_]+)`\s*\|(.*)\|(.*)\|$/gm)].map((row) =>
      row.slice(1).map((cell) => cell.trim()),
    );
    expect(rows).toEqual(
      Object.values(variables).map(({ name, shownDefault, description }) => [name, shownDefault, description]),
    );
  });

  it('reads no other environment variables than those documented', () => {
    const readme = readFileSync(join(project, 'README.md'), 'utf8');
    const known = new Set(Object.values(variables).map(({ name }) => name));
    // Set by the operating system, Node and npm.
    for (const name of ['NODE_ENV', 'NODE_COMPILE_CACHE', 'PATH', 'TMPDIR']) known.add(name);
    const sources = ['backend/src', 'scripts'].flatMap((folder) =>
      readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|mjs)$/.test(file) && !/\.spec\./.test(file))
        .map((file) => readFileSync(join(project, folder, file), 'utf8')),
    );
    const read = new Set(
      sources.flatMap((source) => [...source.matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g)].map((match) => match[1]!)),
    );
    expect(read.size).toBeGreaterThan(3);
    expect([...read].filter((name) => !known.has(name) && !readme.includes(`\`${name}`))).toEqual([]);
  });

  it('reports all invalid variables at once', () => {
    const wrong = { PORT: 'eighty', APP_URL: 'example.com', ROLE: 'boss', APP_SECRET: 'short', STORAGE_URL: 'ftp://x' };
    expect(() => read(wrong)).toThrow(ConfigError);
    expect(() => read(wrong)).toThrow(/PORT must be a whole number from 0 to 65535\./);
    expect(() => read(wrong)).toThrow(/ROLE must be one of all, web, worker\./);
    expect(() => read(wrong)).toThrow(/APP_SECRET must have at least 32 characters\./);
    expect(() => read({ APP_SECRET: 'short-secret' })).not.toThrow(/short-secret/);
    for (const list of ['short,shorter', `${'a'.repeat(30)},`, ',']) {
      expect(() => read({ APP_SECRET: list })).toThrow(/APP_SECRET must have at least 32 characters/);
    }
  });

  it.each([
    [{ RATE_LIMIT: 'off', APP_URL: 'https://zones.example' }, /RATE_LIMIT=off/],
    [{ ROLE: 'worker' }, /ROLE=worker needs DATABASE_URL/],
    [{ CONTENT_URL: 'https://files.example' }, /CONTENT_URL needs APP_URL/],
    [{ OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'zonary' }, /OIDC_NAME belong together/],
    [{ TERMS_URL: 'example.com/terms' }, /TERMS_URL must be the whole address of a page/],
    [{ PRIVACY_URL: 'javascript:alert(1)' }, /PRIVACY_URL must be/],
    [{ IMPRINT_URL: 'https://me:secret@example.com' }, /IMPRINT_URL must be the whole address of a page[^@]*$/],
    [{ OIDC_NAME: 'Example' }, /set all four or none/],
    [{ OIDC_ISSUER: 'http://id.example' }, /OIDC_ISSUER must be an address beginning with https:/],
    [{ OIDC_ISSUER: 'https://id.example/?realm=a' }, /OIDC_ISSUER must be .* without query or user/],
    [{ APP_URL: 'http://a.example', CONTENT_URL: 'http://a.example:81' }, /different host name/],
    [{ APP_URL: 'https://a.example', CONTENT_URL: 'http://b.example' }, /both be https/],
    [
      { APP_URL: 'https://a.example', CONTENT_URL: 'https://b.example/files' },
      /CONTENT_URL must be an address without/,
    ],
  ])('rejects %j', (env, sentence) => {
    expect(() => read(env)).toThrow(sentence);
  });

  it('generates a secret once, readable only by its owner', () => {
    const { appSecret } = read({});
    expect(appSecret.length).toBeGreaterThanOrEqual(32);
    expect(read({}).appSecret).toBe(appSecret);
    expect(statSync(join(dataDir, 'app-secret')).mode & 0o777).toBe(0o600);
  });

  it('accepts several secrets from the environment or the file and passes all of them on', () => {
    const [older, newer] = ['o'.repeat(32), 'n'.repeat(32)];
    const config = read({ APP_SECRET: ` ${newer} , ${older} ` });
    expect(config.appSecret).toBe(`${newer},${older}`);
    const keysOfPart = read({ APP_SECRET: config.appSecret }).keys.forPurpose('this');
    expect(keysOfPart.all).toEqual([read({ APP_SECRET: newer }), read({ APP_SECRET: older })].map(keyOfThis));
    writeFileSync(join(dataDir, 'app-secret'), `${newer},${older}\n`);
    expect(read({}).appSecret).toBe(config.appSecret);
    for (const lines of [`${newer}\n${older}\n`, `${newer}\r\n\r\n ${older} \r\n`, `${newer}\n${newer},${older}`]) {
      writeFileSync(join(dataDir, 'app-secret'), lines);
      expect(read({}).appSecret).toBe(config.appSecret);
      expect(read({}).keys.forPurpose('this').all).toEqual(keysOfPart.all);
    }
  });

  it('rejects a secrets file with a short secret or one that cannot be passed on', () => {
    for (const lines of ['', '\n', `${'n'.repeat(32)}\nshort`, `${'n'.repeat(32)}\nshort,${'o'.repeat(40)}`]) {
      writeFileSync(join(dataDir, 'app-secret'), lines);
      expect(() => read({})).toThrow(/app-secret must hold a secret of at least 32 characters, or several/);
    }
  });

  it('treats an older secret that contains commas as one secret', () => {
    for (const secret of [`${'a'.repeat(31)},${'b'.repeat(40)}`, `a,${'b'.repeat(32)}`, `${'a'.repeat(40)},short,c`]) {
      const config = read({ APP_SECRET: secret });
      expect(config.keys.forPurpose('this').all).toEqual([keyOfSecret(secret)]);
      expect(read({ APP_SECRET: config.appSecret }).keys.forPurpose('this').all).toEqual([keyOfSecret(secret)]);
      writeFileSync(join(dataDir, 'app-secret'), `${secret}\n`);
      expect(read({}).keys.forPurpose('this').all).toEqual([keyOfSecret(secret)]);
    }
    const [newer, older] = ['n'.repeat(32), 'o'.repeat(32)];
    expect(read({ APP_SECRET: `${newer},${older}` }).keys.forPurpose('this').all).toHaveLength(2);
  });

  it('accepts signatures by the raw secret for four long-lived purposes only', () => {
    const legacy = sources().flatMap((file) => {
      const found = textOf(file).matchAll(/\.forPurpose\(\s*'([^']+)',\s*\[/g);
      return [...found].map(([, purpose]) => purpose!);
    });
    expect(legacy.sort()).toEqual(['delivery-message-id', 'suppression', 'tracking', 'unsubscribe']);
  });

  it('derives a key per purpose instead of using a secret directly', () => {
    const users = sources().filter((file) => /\bappSecret\b/.test(textOf(file)));
    expect(users.sort()).toEqual([
      // Only checks whether there is one.
      'cli/doctor/assert-installation-exists.ts',
      'platform/config/app-config.ts',
      'platform/config/variables.ts',
      'process/worker-process.ts',
    ]);
  });
});
