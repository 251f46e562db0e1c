import { EntityManager } from '@mikro-orm/postgresql';
import { MINUTE } from '../../../src/platform/clock/clock.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { joinAsRestrictedUser } from '../../support/people/restricted-user.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { createFolder, uploadFile } from '../files/upload/multipart-helpers.js';
import { allowUnlimitedZones } from '../mirrors/mirror-helpers.js';

interface Home {
  zones: {
    id: number;
    owner: { name: string; profileImageUrl: string | null };
    newFiles: number;
    lastFileAt: string;
  }[];
  recentFiles: { id: number; name: string; zoneId: number; zoneName: string; readOnly: boolean; can: object }[];
  invitations: object[];
}

describeInProcess('GET /api/home', () => {
  let world: World;
  let owner: Actor;
  let member: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world, { firstName: 'Grace', lastName: 'Hopper' });
    member = await registerUser(world);
    zone = await createZone(owner);
    await joinPublicZone(zone, member);
    advanceMinute();
  });
  afterAll(() => world.close());

  /** Advances the clock, so that all compared timestamps differ. */
  const advanceMinute = () => world.testApp.clock.advance(MINUTE);
  const readHome = async (client: Client = member.client) => (await client.get('/api/home').expect(200)).body as Home;
  const newFileCounts = async () => (await readHome()).zones.map(({ id, newFiles }) => [id, newFiles]);
  const listRecentFiles = async () => (await readHome()).recentFiles.map(({ name }) => name);
  const visit = (client: Client = member.client) => client.post(`/api/zones/${zone.id}/visits`);
  const uploadTextFile = (name: string, query = '') => uploadFile(owner.client, zone.id, name, 'x', query);
  const sql = (text: string, values: unknown[]) => world.testApp.em().execute(text, values);

  it("returns each zone's owner, its new files since joining or the last visit, and recent files", async () => {
    await uploadTextFile('one.txt');
    advanceMinute();
    await uploadTextFile('two.txt');
    await sql('update users set profile_image_url = ? where id = ?', ['/api/pictures/x', owner.id]);
    const { zones, recentFiles, invitations } = await readHome();
    expect(zones).toMatchObject([
      { id: zone.id, owner: { name: 'Grace Hopper', profileImageUrl: '/api/pictures/x' }, newFiles: 2 },
    ]);
    expect(recentFiles).toMatchObject([
      { name: 'two.txt', zoneId: zone.id, zoneName: zone.name, can: { view: true, rename: false } },
      { name: 'one.txt' },
    ]);
    expect(invitations).toEqual([]);
    await visit().expect(204);
    expect(await newFileCounts()).toEqual([[zone.id, 0]]);
    advanceMinute();
    await uploadTextFile('three.txt');
    expect(await newFileCounts()).toEqual([[zone.id, 1]]);
    expect(await listRecentFiles()).toEqual(['three.txt', 'two.txt', 'one.txt']);
  });

  it("does not count files from before joining or the member's own uploads", async () => {
    await uploadTextFile('before.txt');
    const helper = await registerUser(world);
    advanceMinute();
    await joinPublicZone(zone, helper);
    await sql(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, helper.id]);
    advanceMinute();
    await uploadFile(helper.client, zone.id, 'own.txt', 'x');
    expect((await readHome(helper.client)).zones).toMatchObject([{ id: zone.id, memberRole: 'admin', newFiles: 0 }]);
    expect(await newFileCounts()).toEqual([[zone.id, 2]]);
  });

  it('records a visit at most once a minute, for members without a profile but not non-members', async () => {
    const at = async () =>
      (await sql('select visited_at from zone_members where zone_id = ? and user_id = ?', [zone.id, member.id]))[0];
    await visit().expect(204);
    const first = await at();
    expect(first!.visited_at).not.toBeNull();
    world.testApp.clock.advance(MINUTE / 2);
    await visit().expect(204);
    expect(await at()).toEqual(first);
    world.testApp.clock.advance(MINUTE);
    await visit().expect(204);
    expect(await at()).not.toEqual(first);
    await visit(await joinAsRestrictedUser(world, zone)).expect(204);
    await visit((await registerUser(world)).client).expect(404);
  });

  it('leaves out the trash and mirrored files, which appear under their source zone', async () => {
    await allowUnlimitedZones(world, owner);
    const source = await createZone(owner);
    const folder = await createFolder(owner.client, source.id, 'Shown');
    const mirror = { sourceFolderId: folder, targetZoneId: zone.id, targetFolderName: 'Mirror' };
    await owner.client.post(`/api/zones/${source.id}/folder-mirrors`).send(mirror).expect(201);
    await uploadFile(owner.client, source.id, 'mirrored.txt', 'x', `?folderId=${folder}`);
    const { id } = await uploadTextFile('gone.txt');
    await uploadTextFile('stays.txt');
    await owner.client.delete(`/api/files/${id}`).expect(204);
    expect(await newFileCounts()).toEqual([[zone.id, 1]]);
    expect(await listRecentFiles()).toEqual(['stays.txt']);
    await joinPublicZone(source, member);
    const { recentFiles } = await readHome();
    expect(recentFiles.find(({ name }) => name === 'mirrored.txt')).toMatchObject({
      zoneId: source.id,
      readOnly: false,
    });
    expect(recentFiles).toHaveLength(2);
  });

  it('contains nothing of zones that are closed to the member', async () => {
    await uploadTextFile('secret.txt');
    const membership = [zone.id, member.id];
    const expectEmptyHome = async () =>
      expect(await readHome()).toEqual({ zones: [], continueReading: [], recentFiles: [], invitations: [] });
    await sql('update zone_members set expires_at = ? where zone_id = ? and user_id = ?', [
      world.testApp.clock.now(),
      ...membership,
    ]);
    await expectEmptyHome();
    await sql('update zone_members set expires_at = null where zone_id = ? and user_id = ?', membership);
    expect(await listRecentFiles()).toEqual(['secret.txt']);
    await sql('update users set deactivated_at = now() where id = ?', [owner.id]);
    await expectEmptyHome();
    await sql('update users set deactivated_at = null where id = ?', [owner.id]);
    await owner.client.post(`/api/zones/${zone.id}/blocks`).send({ userId: member.id }).expect(204);
    await expectEmptyHome();
  });

  it('does not list own zones, and the session holds the counts of own and shared zones', async () => {
    await uploadTextFile('one.txt');
    expect((await readHome(owner.client)).zones).toEqual([]);
    const counts = async ({ client }: Actor) => {
      const { zoneCount, sharedZoneCount } = (await client.get('/api/user').expect(200)).body;
      return [zoneCount, sharedZoneCount];
    };
    expect([await counts(owner), await counts(member)]).toEqual([
      [1, 0],
      [0, 1],
    ]);
    await sql('update zone_members set expires_at = ? where user_id = ?', [world.testApp.clock.now(), member.id]);
    expect(await counts(member)).toEqual([0, 0]);
  });

  it('counts at most a hundred new files per zone', async () => {
    await sql(
      `insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, uploaded_by_id, created_at, updated_at)
       select 'file ' || n, 'file ' || n, 'text/plain', 1, '', ? || n, 'local', ?, ?, ?::timestamptz + n * interval '1 second', now()
       from generate_series(1, 120) n`,
      [uniqueName('many'), zone.id, owner.id, world.testApp.clock.now()],
    );
    expect(await newFileCounts()).toEqual([[zone.id, 100]]);
    await sql('update files set uploaded_by_id = ? where zone_id = ? and original_name > ?', [
      ...[member.id, zone.id, 'file 115'],
    ]);
    expect(await newFileCounts()).toEqual([[zone.id, 95]]);
  });

  it('needs as many queries for a hundred zones as for one, newest files first', async () => {
    const listRequests = async () => {
      const queries = jest.spyOn(EntityManager.prototype, 'getKysely');
      await readHome();
      const count = queries.mock.calls.length;
      queries.mockRestore();
      return count;
    };
    const forOne = await listRequests();
    await sql(
      `with made as (
         insert into zones (name, description, owner_id, type, is_active, auto_join, requires_email_optin, created_at, updated_at)
         select ? || n, '', ?, 'private', true, true, false, now(), now() from generate_series(1, 100) n returning id
       ), counted as (insert into zone_stats (zone_id) select id from made)
       insert into zone_members (zone_id, user_id, role, email, created_at) select id, ?, 'member', ?, now() from made`,
      [uniqueName('Many'), owner.id, member.id, member.email],
    );
    await uploadTextFile('newest.txt');
    expect(forOne).toBeGreaterThan(2);
    expect(await listRequests()).toBe(forOne);
    const { zones } = await readHome();
    expect(zones).toHaveLength(100);
    expect(zones[0]).toMatchObject({ id: zone.id, newFiles: 1 });
  });
});
