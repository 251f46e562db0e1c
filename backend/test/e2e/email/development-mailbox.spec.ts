import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import supertest from 'supertest';
import { Mailbox } from '../../../src/platform/email/mailbox/mailbox.js';
import { MailboxKey } from '../../../src/platform/email/mailbox/mailbox-key.js';
import { startPlainProxy, type PlainProxy } from '../../support/fakes/plain-proxy.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeInProcess } from '../../support/world.js';

const MAIL = { to: 'mary@example.com', from: 'z@example.com', subject: 'Code', text: '123456', html: '<p>123456</p>' };

/** Adds an email and returns the paths that show it. */
async function pathsOf({ app }: TestApp): Promise<string[]> {
  const { id } = await app.get(Mailbox).add(MAIL);
  return ['/dev/mailbox', '/dev/mailbox.json', `/dev/mailbox/${id}`, `/dev/mailbox/${id}/body`];
}

const keyOf = ({ app }: TestApp) =>
  new URL(app.get(MailboxKey).mailboxUrl('http://localhost')!).searchParams.get('key')!;

describeInProcess('Development mailbox', () => {
  let product: TestApp;
  let proxy: PlainProxy;
  let paths: string[];
  let key: string;

  beforeAll(async () => {
    product = await createTestApp();
    proxy = await startPlainProxy(product.url);
    paths = await pathsOf(product);
    key = keyOf(product);
  });
  afterAll(async () => {
    await proxy.close();
    await product.close();
  });

  const everywhere = () => [product.url, proxy.url].flatMap((url) => paths.map((path) => ({ url, path })));

  it('returns 404 without its key, locally or behind a proxy', async () => {
    for (const { url, path } of everywhere()) {
      for (const host of ['localhost', '127.0.0.1', 'zones.example']) {
        const { body } = await supertest(url).get(path).set('Host', host).expect(404);
        expect(body.code).toBe('NOT_FOUND');
      }
    }
  });

  it.each(['', 'x', '%FF', 'undefined', 'null', '%5B%5D'])('returns 404 with the key "%s"', async (wrongKey) => {
    for (const { url, path } of everywhere()) {
      await supertest(url).get(`${path}?key=${wrongKey}`).expect(404);
      await supertest(url).get(path).set('Cookie', `zonary_mailbox=${wrongKey}`).expect(404);
    }
  });

  it('returns 404 with part of its key or two keys', async () => {
    for (const path of paths) {
      for (const wrongKey of [key.slice(1), `${key}0`, key.toUpperCase().replace(/\d/g, '0'), `${key}&key=${key}`]) {
        await supertest(product.url).get(`${path}?key=${wrongKey}`).expect(404);
      }
    }
  });

  it('opens with its key and then with the cookie set for its paths', async () => {
    for (const { url, path } of everywhere()) {
      const { headers, text } = await supertest(url).get(`${path}?key=${key}`).expect(200);
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['cache-control']).toBe('no-store');
      expect(text).not.toContain(key);
      const [cookie] = headers['set-cookie'] as unknown as string[];
      expect(cookie).toMatch(/; Path=\/dev;.*HttpOnly; SameSite=Lax$/);
      await supertest(url).get(path).set('Cookie', cookie!.split(';')[0]!).expect(200);
    }
  });

  it('stores its key readable by the operator only', async () => {
    expect((await stat(join(product.config.dataDir, 'mailbox-key'))).mode & 0o777).toBe(0o600);
  });
});

describeInProcess('Development mailbox in production', () => {
  const opened: TestApp[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((app) => app.close())));

  async function open(env: Record<string, string>): Promise<TestApp> {
    const app = await createTestApp(env);
    opened.push(app);
    return app;
  }

  it.each([
    ['with a public address', { APP_URL: 'http://zones.example' }],
    ['with an address that resembles a local one', { APP_URL: 'http://localhost.zones.example' }],
    ['with a mail server', { APP_URL: 'http://localhost:3000', SMTP_URL: 'smtp://127.0.0.1:9' }],
  ])('%s returns 404, even with the key of the data folder', async (_, env) => {
    const before = await open({});
    const key = keyOf(before);
    const { dataDir } = before.config;
    // A separate installation with its own storage.
    const STORAGE_URL = pathToFileURL(join(dataDir, 'other')).href;
    const product = await open({ ...env, DATA_DIR: dataDir, STORAGE_URL });
    expect(product.app.get(MailboxKey).mailboxUrl(product.url)).toBeNull();
    for (const path of await pathsOf(product)) {
      await supertest(product.url).get(`${path}?key=${key}`).set('Host', 'localhost').expect(404);
      await supertest(product.url).get(path).set('Cookie', `zonary_mailbox=${key}`).expect(404);
    }
  });

  it.each([
    'http://localhost:3000',
    'http://LOCALHOST',
    'http://127.0.0.1:3000',
    'http://127.8.9.1',
    'http://[::1]:80',
  ])('has a URL at %s', async (APP_URL) => {
    const { app } = await open({ APP_URL });
    expect(app.get(MailboxKey).mailboxUrl(APP_URL)).toContain('/dev/mailbox?key=');
  });
});

describeInProcess('GET /metrics without METRICS_TOKEN', () => {
  it('returns 404, locally or behind a proxy', async () => {
    const product = await createTestApp();
    const proxy = await startPlainProxy(product.url);
    try {
      for (const url of [product.url, proxy.url]) {
        for (const host of ['localhost', '127.0.0.1', '[::1]:3000']) {
          const request = supertest(url).get('/metrics').set('Host', host).set('Authorization', 'Bearer null');
          expect((await request.expect(404)).body.code).toBe('NOT_FOUND');
        }
      }
    } finally {
      await proxy.close();
      await product.close();
    }
  });
});
