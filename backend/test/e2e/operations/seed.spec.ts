import { Demo, DEMO_PASSWORD } from '../../../src/cli/seed/demo.js';
import { describeInProcess, World } from '../../support/world.js';

describeInProcess('the demonstration', () => {
  it('fills an empty installation with what every screen can show, and only once', async () => {
    const world = await World.open();
    try {
      const demo = new Demo(world.inside.app);
      expect(await demo.exists()).toBe(false);
      const [creator] = await demo.fill();
      expect(await demo.exists()).toBe(true);
      const client = world.client();
      await client.post('/api/login').send({ email: creator, password: DEMO_PASSWORD }).expect(200);
      const zones = (await client.get('/api/zones').expect(200)).body;
      expect(zones).toHaveLength(2);
      const [lectures] = zones.filter(({ type }: { type: string }) => type === 'public');
      expect(lectures).toMatchObject({ fileCount: 10, folderCount: 2, memberCount: 13 });
      const files = (await client.get(`/api/zones/${lectures.id}/files`).expect(200)).body;
      const types = files.map(({ mimeType }: { mimeType: string }) => mimeType.split(';')[0]).sort();
      expect(types).toEqual(['application/pdf', 'audio/wav', 'image/png', 'text/plain']);
      const stats = (await client.get('/api/dashboard/stats').expect(200)).body;
      expect(stats).toMatchObject({ totalZones: 2, totalFiles: 10, totalMembers: 13 });
    } finally {
      await world.close();
    }
  });
});
