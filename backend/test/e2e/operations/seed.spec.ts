import { Demo } from '../../../src/cli/seed/demo.js';
import { findSeedObstacle } from '../../../src/cli/seed/seed-obstacle.js';
import { withClient } from '../../../src/platform/database/pool/with-client.js';
import { registerUser } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';

describeInProcess('Demo data', () => {
  it('fills an empty installation once with data for every page', async () => {
    const world = await World.open();
    try {
      const findObstacle = (appUrl = 'http://localhost:3000') =>
        withClient(world.testApp.connection, (dbClient) => findSeedObstacle(dbClient, appUrl));
      expect(await findObstacle()).toBeNull();
      expect(await findObstacle('https://zones.example')).toContain('its address is https://zones.example');
      const password = 'a passphrase for demos';
      const [creator] = await new Demo(world.testApp.app).seed(password);
      expect(await findObstacle()).toBe('The demo data already exists.');
      const client = world.createClient();
      await client.post('/api/login').send({ email: creator, password }).expect(200);
      const zones = (await client.get('/api/zones').expect(200)).body;
      expect(zones).toHaveLength(2);
      const [lectures] = zones.filter(({ type }: { type: string }) => type === 'public');
      expect(lectures).toMatchObject({ fileCount: 10, folderCount: 2, memberCount: 13 });
      const files = (await client.get(`/api/zones/${lectures.id}/files`).expect(200)).body;
      const types = files.map(({ mimeType }: { mimeType: string }) => mimeType.split(';')[0]).sort();
      expect(types).toEqual(['application/pdf', 'audio/wav', 'image/png', 'text/plain']);
      const stats = (await client.get('/api/dashboard/stats').expect(200)).body;
      expect(stats).toMatchObject({ totalZones: 2, totalFiles: 10, totalMembers: 13 });
      const members = (await client.get(`/api/zones/${lectures.id}/members`).expect(200)).body;
      for (const { user } of members as { user: { profileImageUrl: string } }[]) {
        await client
          .get(user.profileImageUrl)
          .expect(200)
          .expect('content-type', /image\/webp/);
      }
      const [campaign] = (await client.get('/api/campaigns').expect(200)).body;
      const sent = { status: 'sent', recipientCount: 13, deliveredCount: 13, openCount: 9, clickCount: 4 };
      expect(campaign).toMatchObject({ name: 'Week 2 is online: colour', ...sent });
      const report = (await client.get(`/api/campaigns/${campaign.id}/report`).expect(200)).body;
      expect(report.links).toMatchObject([{ recipients: 4, clicks: 4 }]);
      const [month] = await world.testApp.em().execute<object[]>(
        `select count(distinct created_at::date)::int as days, min(created_at) > now() - interval '32 days' as "isRecent",
           max(created_at) <= now() + interval '1 day' as "isPast" from activity where type in ('file.viewed', 'file.downloaded')`,
      );
      expect(month).toEqual({ days: expect.any(Number), isRecent: true, isPast: true });
      expect((month as { days: number }).days).toBeGreaterThan(25);
      await world.testApp.drain();
      expect(await world.listEmails('member1@demo.example')).toEqual([]);
    } finally {
      await world.close();
    }
  });

  it('is not added to an installation with accounts', async () => {
    const world = await World.open();
    try {
      await registerUser(world);
      const obstacle = await withClient(world.testApp.connection, (client) =>
        findSeedObstacle(client, 'http://127.0.0.1:3000'),
      );
      expect(obstacle).toContain('This installation is in use');
    } finally {
      await world.close();
    }
  });
});
