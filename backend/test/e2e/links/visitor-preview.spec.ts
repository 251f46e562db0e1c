import { createZone, joinPublicZone, registerUser } from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { uploadFile } from '../files/upload/multipart-helpers.js';

describeInProcess('GET /api/zones/:id/visitor-preview', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  const stage = async (name: string, type: 'public' | 'private' = 'public') => {
    const owner = await registerUser(world, { firstName: 'Grace' });
    return { owner, zone: await createZone(owner, { name, type }) };
  };
  const path = (id: number) => `/api/zones/${id}/visitor-preview`;

  it('returns what the link shows and counts no use', async () => {
    const { owner, zone } = await stage('Lectures');
    await uploadFile(owner.client, zone.id, 'Light.txt', 'hello');
    const readBothPreviews = async (language: string) => {
      const get = async (client: Client, at: string) =>
        (await client.get(at).set('Accept-Language', language).expect(200)).body as Record<string, unknown>;
      return [
        await get(owner.client, path(zone.id)),
        await get(world.createClient(), `/api/public-zones/${zone.publicLink}`),
      ];
    };
    const [english] = await readBothPreviews('en');
    // The account's language takes precedence over the browser's.
    await owner.client.put('/api/user/profile').send({ language: 'tr' }).expect(200);
    const [ownerPreview, visitorPreview] = await readBothPreviews('tr');
    expect(ownerPreview).toEqual(visitorPreview);
    expect(JSON.stringify(ownerPreview)).toContain('Light.txt');
    expect(ownerPreview).not.toEqual(english);
    await owner.client.patch(`/api/zones/${zone.id}`).send({ showFiles: false }).expect(200);
    const [hidden, preview] = await readBothPreviews('tr');
    expect(hidden).toEqual(preview);
    expect(JSON.stringify(hidden)).not.toContain('Light.txt');
    const figures = await owner.client.get(`/api/zones/${zone.id}/public-link/analytics`).expect(200);
    expect(figures.body).toMatchObject({ newUsers: 0, existingUsers: 0, outcomes: [] });
  });

  it('is available for a private zone to owner and admins, but not to members', async () => {
    const { owner, zone } = await stage('Circle');
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    await owner.client.patch(`/api/zones/${zone.id}`).send({ type: 'private' }).expect(200);
    const { body } = await owner.client.get(path(zone.id)).expect(200);
    expect(body).toMatchObject({
      name: 'Circle',
      fileCount: 0,
      memberCount: 1,
      owner: { firstName: 'Grace', lastName: 'Test' },
    });
    const rejected = await member.client.get(path(zone.id)).expect(403);
    expect(rejected.body.code).toBe('ZONE_FORBIDDEN');
    const em = world.testApp.em();
    await em.execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, member.id]);
    await member.client.get(path(zone.id)).expect(200);
  });

  it('returns 404 to non-members, as for an unknown zone', async () => {
    const { zone } = await stage('Secret', 'private');
    const outsider = await registerUser(world);
    const getError = async (id: number) => {
      const { code, message } = (await outsider.client.get(path(id)).expect(404)).body;
      return { code, message };
    };
    expect(await getError(zone.id)).toEqual(await getError(zone.id + 100_000));
  });
});
