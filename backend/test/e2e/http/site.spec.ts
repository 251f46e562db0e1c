import { existsSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { variables } from '../../../src/platform/config/variables.js';
import { productVersion } from '../../../src/platform/config/version.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { createZone, joinPublicZone, registerUser } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { uploadFile } from '../files/upload/multipart-helpers.js';

const company = {
  COMPANY_NAME: 'Sample Ltd',
  COMPANY_DIRECTOR: 'Ada Sample',
  COMPANY_TYPE: 'Software',
  COMPANY_PHONE: '+90 312 000 00 00',
  COMPANY_ADDRESS: 'Sample Street 1, Ankara',
  CONTACT_EMAIL: 'hello@example.com',
};

describeInProcess('GET /api/site', () => {
  it('returns company details and real counts to everyone', async () => {
    const world = await World.open({ ...company, LANDING_MIN_COUNT: '1' });
    try {
      const owner = await registerUser(world);
      const other = await registerUser(world);
      const member = await registerUser(world);
      for (const [person, name] of [
        [owner, 'a.txt'],
        [other, 'b.txt'],
      ] as const) {
        const zone = await createZone(person);
        await uploadFile(person.client, zone.id, name, 'text');
        await joinPublicZone(zone, member);
      }
      const { body, headers } = await supertest(world.url).get('/api/site').expect(200);
      expect(body).toEqual({
        name: 'Zonary',
        version: productVersion(),
        sells: true,
        company: {
          name: 'Sample Ltd',
          director: 'Ada Sample',
          type: 'Software',
          phone: '+90 312 000 00 00',
          address: 'Sample Street 1, Ankara',
        },
        contactEmail: 'hello@example.com',
        singleSignOn: null,
        sendsEmail: false,
        figures: { creators: 2, files: 2, people: 1 },
        retention: { webhookBodies: 90, ips: 90, linkUsages: 400, campaignEvents: 400, activity: 400, reading: 90 },
        uses: { payments: false, places: 'country', files: 'machine' },
        legal: { terms: null, privacy: null, imprint: null },
      });
      expect(headers['cache-control']).toBe('public, max-age=60');
    } finally {
      await world.close();
    }
  });

  it('lists all configured retention periods and services in use', async () => {
    const retentionVariables = Object.values(variables).filter(({ name }) => name.startsWith('RETENTION_'));
    const days = Object.fromEntries(retentionVariables.map(({ name }, index) => [name, String(index + 1)]));
    const app = await createTestApp({ ...days, STRIPE_SECRET_KEY: 'sk_test_of_this_suite' });
    try {
      const { body } = await supertest(app.url).get('/api/site').expect(200);
      expect(Object.values(body.retention).sort()).toEqual(retentionVariables.map((_, index) => index + 1));
      expect(body.uses).toEqual({ payments: true, places: 'country', files: 'machine' });
    } finally {
      await app.close();
    }
  });

  it('refreshes the counts after ten minutes, serving the previous ones meanwhile', async () => {
    const world = await World.open({ LANDING_MIN_COUNT: '0' });
    const readCreatorCount = async () =>
      (await supertest(world.url).get('/api/site').expect(200)).body.figures.creators;
    try {
      expect(await readCreatorCount()).toBe(0);
      await createZone(await registerUser(world));
      expect(await readCreatorCount()).toBe(0);
      world.testApp.clock.advance(10 * 60_000);
      expect(await readCreatorCount()).toBe(0);
      const deadline = Date.now() + 10_000;
      while ((await readCreatorCount()) !== 1 && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await readCreatorCount()).toBe(1);
    } finally {
      await world.close();
    }
  });

  describe('without configuration', () => {
    let app: TestApp;
    beforeAll(async () => {
      app = await createTestApp();
    });
    afterAll(() => app.close());

    it('returns no company and hides counts that are too small', async () => {
      const { body } = await supertest(app.url).get('/api/site').expect(200);
      expect(body.company).toEqual({ name: null, director: null, type: null, phone: null, address: null });
      expect(body.contactEmail).toBeNull();
      expect(body.figures).toEqual({ creators: null, files: null, people: null });
    });

    it('serves a web manifest with the name of the installation, in the language of the browser', async () => {
      const getManifest = (language: string) =>
        supertest(app.url).get('/manifest.webmanifest').set('Accept-Language', language).expect(200);
      const { body, headers } = await getManifest('tr');
      expect(headers['content-type']).toMatch('application/manifest+json');
      expect(headers.vary).toContain('Accept-Language');
      expect(body).toMatchObject({ name: app.config.appName, display: 'standalone', start_url: '/', lang: 'tr' });
      expect(body.shortcuts.map(({ url }: { url: string }) => url)).toEqual(['/zones', '/dashboard?do=upload']);
      expect((await getManifest('en')).body.shortcuts[1].name).toBe('Upload Files');
      for (const { src } of body.icons as { src: string }[])
        expect(existsSync(join(import.meta.dirname, '../../../../frontend/public', src))).toBe(true);
    });

    it('redirects files shared with an app that has lost its service worker, without reading them', async () => {
      const { headers } = await supertest(app.url)
        .post('/share-files')
        .attach('files', Buffer.from('shared'), 'Shared.txt')
        .expect(303);
      expect(headers).toMatchObject({ location: '/dashboard?do=upload', connection: 'close' });
    });

    it('serves robots.txt and sitemap with the public URL', async () => {
      const robots = await supertest(app.url).get('/robots.txt').expect(200);
      expect(robots.headers['content-type']).toMatch('text/plain');
      expect(robots.text).toContain(`Sitemap: ${app.config.appUrl}/sitemap.xml`);
      const sitemap = await supertest(app.url).get('/sitemap.xml').expect(200);
      expect(sitemap.headers['content-type']).toMatch('application/xml');
      expect(sitemap.text).toContain(`<loc>${app.config.appUrl}/pricing</loc>`);
    });
  });
});
