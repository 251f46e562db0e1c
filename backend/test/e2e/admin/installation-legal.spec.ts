import supertest from 'supertest';
import { InstallationSettingsService } from '../../../src/platform/installation/installation-settings.service.js';
import type { Actor } from '../../support/people/actors.js';
import { createTestApp } from '../../support/test-app.js';
import { describeInProcess, World } from '../../support/world.js';
import { registerStaff } from './staff-helpers.js';

const path = '/api/admin/installation';

describeInProcess('Terms, privacy and imprint', () => {
  let world: World;
  let superAdmin: Actor;
  beforeAll(async () => {
    world = await World.open();
    ({ superAdmin } = await registerStaff(world));
  });
  afterEach(async () => {
    await world.testApp.em().execute('delete from installation_settings');
    await world.testApp.app.get(InstallationSettingsService).refresh();
  });
  afterAll(() => world.close());

  const change = (body: object) => superAdmin.client.patch(path).send(body);
  const links = async (url = world.url) => (await supertest(url).get('/api/site').expect(200)).body.legal;
  const getLegalPage = (page: string, url = world.url) => supertest(url).get(`/api/site/legal/${page}`);

  it('have no links until they are set', async () => {
    expect(await links()).toEqual({ terms: null, privacy: null, imprint: null });
    for (const page of ['terms', 'privacy', 'imprint', 'others', '__proto__', 'name']) {
      expect((await getLegalPage(page).expect(404)).body.code).toBe('NOT_FOUND');
    }
  });

  it('are own texts or external URLs, which win, and a variable overrides both', async () => {
    await change({ termsEn: ' Be kind.\r\n\r\nOr leave. ', imprintTr: 'Örnek Ltd', privacyEn: 'We\tcare.' }).expect(
      200,
    );
    expect(await links()).toEqual({ terms: '/terms', privacy: '/privacy', imprint: '/imprint' });
    const { body, headers } = await getLegalPage('terms').expect(200);
    expect(body).toEqual({ address: null, texts: { en: 'Be kind.\n\nOr leave.', tr: null } });
    expect(headers['cache-control']).toBe('public, max-age=60');
    expect((await getLegalPage('imprint').expect(200)).body.texts).toEqual({ en: null, tr: 'Örnek Ltd' });
    await change({ termsUrl: ' HTTPS://Example.com/terms#a ', imprintTr: null }).expect(200);
    expect(await links()).toEqual({ terms: 'https://example.com/terms#a', privacy: '/privacy', imprint: null });
    const varied = await createTestApp(
      { TERMS_URL: 'https://other.example/agb', IMPRINT_URL: 'http://other.example' },
      [],
      world.testApp.connection,
    );
    try {
      expect(await links(varied.url)).toEqual({
        terms: 'https://other.example/agb',
        privacy: '/privacy',
        imprint: 'http://other.example/',
      });
      expect((await getLegalPage('imprint', varied.url).expect(200)).body).toEqual({
        address: 'http://other.example/',
        texts: { en: null, tr: null },
      });
    } finally {
      await varied.close();
    }
  });

  it('are returned in full to super admins but not by GET /api/site', async () => {
    await change({ termsEn: 'Be kind.', termsUrl: 'https://example.com/terms' }).expect(200);
    const { body } = await superAdmin.client.get(path).expect(200);
    expect(body.settings).toEqual(
      expect.arrayContaining([
        {
          key: 'termsUrl',
          value: 'https://example.com/terms',
          source: 'setting',
          variable: 'TERMS_URL',
        },
        { key: 'termsEn', value: 'Be kind.', source: 'setting', variable: null },
        { key: 'imprintUrl', value: null, source: 'default', variable: 'IMPRINT_URL' },
      ]),
    );
    expect((await supertest(world.url).get('/api/site').expect(200)).text).not.toContain('Be kind.');
  });

  it('accept six texts of 50,000 characters and not one more', async () => {
    const long = 'ş'.repeat(50_000);
    const keys = ['termsEn', 'termsTr', 'privacyEn', 'privacyTr', 'imprintEn', 'imprintTr'];
    await change(Object.fromEntries(keys.map((key) => [key, long]))).expect(200);
    expect((await getLegalPage('privacy').expect(200)).body.texts).toEqual({ en: long, tr: long });
    expect((await change({ termsEn: `${long}x` }).expect(400)).body.errors).toHaveProperty('termsEn');
  });

  it.each([
    ['termsUrl', ['/terms', 'example.com', 'javascript:alert(1)', 'https://a:b@example.com', '', 7, 'ftp://a.example']],
    ['imprintUrl', [`https://example.com/${'x'.repeat(500)}`]],
    ['privacyTr', ['', ' \n ', 'a\u0007b', 'a\u202eb', 'a\u2067b', 7]],
  ])('reject invalid values of %s, in both languages', async (field, values) => {
    for (const value of values) {
      const sentences = [];
      for (const language of ['en', 'tr']) {
        await superAdmin.client.put('/api/user/profile').send({ language }).expect(200);
        const { body } = await change({ [field]: value }).expect(400);
        expect([value, Object.keys(body.errors)]).toEqual([value, [field]]);
        sentences.push(body.errors[field][0]);
      }
      expect(new Set(sentences).size).toBe(2);
    }
    expect(await links()).toEqual({ terms: null, privacy: null, imprint: null });
  });
});
