import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { buildMultipart, createFolder, uploadFile } from '../files/upload/multipart-helpers.js';
import { allowUnlimitedZones } from './mirror-helpers.js';

describeInProcess('Access through a mirror', () => {
  let world: World;
  let owner: Actor;
  let viewer: Actor;
  let helper: Actor;
  let zone: TestZone;
  let target: TestZone;
  let source: number;
  let inner: number;
  let mirror: { id: number; targetFolderId: number };
  let file: { id: number };

  const execute = (sql: string, params: unknown[]) =>
    world.testApp.em().execute<Record<string, unknown>[]>(sql, params);
  const createMirrorIn = async (zoneId: number, sourceFolderId = source) => {
    const body = { sourceFolderId, targetZoneId: zoneId, targetFolderName: uniqueName('Mount') };
    const { body: made } = await owner.client.post(`/api/zones/${zone.id}/folder-mirrors`).send(body).expect(201);
    return made as { id: number; targetFolderId: number };
  };

  beforeAll(async () => {
    world = await World.open();
    [owner, viewer, helper] = [await registerUser(world), await registerUser(world), await registerUser(world)];
    await allowUnlimitedZones(world, owner);
  });
  beforeEach(async () => {
    [zone, target] = [await createZone(owner), await createZone(owner)];
    for (const actor of [viewer, helper]) await joinPublicZone(target, actor);
    await execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [target.id, helper.id]);
    source = await createFolder(owner.client, zone.id, 'Source');
    inner = await createFolder(owner.client, zone.id, 'Inner', source);
    file = await uploadFile(owner.client, zone.id, 'inside.txt', '0123456789', `?folderId=${inner}`);
    mirror = await createMirrorIn(target.id);
  });
  afterAll(() => world.close());

  const listFolders = async (client: Client, zoneId = target.id, parentId?: number) => {
    const query = parentId === undefined ? '' : `?parentId=${parentId}`;
    return (await client.get(`/api/zones/${zoneId}/folders${query}`).expect(200)).body as { id: number }[];
  };

  it("updates a zone's timestamp for its own and mirrored content only", async () => {
    const unrelated = await createZone(owner);
    const readUpdatedAt = async ({ id }: TestZone): Promise<string> =>
      (await owner.client.get(`/api/zones/${id}`).expect(200)).body.updatedAt;
    const readAll = () => Promise.all([zone, target, unrelated].map(readUpdatedAt));
    /** Which of the three zones count as updated after the change, a minute later. */
    const findUpdated = async (change: () => PromiseLike<unknown>): Promise<boolean[]> => {
      const before = await readAll();
      world.testApp.clock.advance(60_000);
      await change();
      const now = await readAll();
      return now.map((at, index) => at > before[index]!);
    };
    const [mirrored, own] = [
      [true, true, false],
      [true, false, false],
    ];
    const { client } = owner;
    const { id } = await uploadFile(client, zone.id, uniqueName('root'), 'x');
    expect(await findUpdated(() => uploadFile(client, zone.id, uniqueName('beside'), 'x'))).toEqual(own);
    expect(
      await findUpdated(() => client.patch(`/api/files/${id}/rename`).send({ originalName: uniqueName('r') })),
    ).toEqual(own);
    const move = (folderId: number | null) =>
      client.patch(`/api/files/${id}/move`).send({ targetFolderId: folderId }).expect(200);
    expect(await findUpdated(() => move(inner))).toEqual(mirrored);
    expect(
      await findUpdated(() => client.patch(`/api/files/${id}/rename`).send({ originalName: uniqueName('s') })),
    ).toEqual(mirrored);
    expect(
      await findUpdated(() =>
        client
          .patch(`/api/folders/${inner}`)
          .send({ name: uniqueName('I') })
          .expect(200),
      ),
    ).toEqual(mirrored);
    expect(await findUpdated(() => createFolder(client, zone.id, uniqueName('New'), inner))).toEqual(mirrored);
    expect(await findUpdated(() => client.delete(`/api/files/${id}`).expect(204))).toEqual(mirrored);
    const restore = { fileIds: [id], folderIds: [] };
    expect(
      await findUpdated(() => client.post(`/api/zones/${zone.id}/trash/restore`).send(restore).expect(200)),
    ).toEqual(mirrored);
    expect(await findUpdated(() => client.get(`/api/files/${id}/view`).expect(200))).toEqual([false, false, false]);
    const setActive = (isActive: boolean) =>
      client.patch(`/api/folder-mirrors/${mirror.id}`).send({ isActive }).expect(200);
    expect(await findUpdated(() => setActive(false))).toEqual([false, true, false]);
    expect(
      await findUpdated(() => uploadFile(client, zone.id, uniqueName('hidden'), 'x', `?folderId=${source}`)),
    ).toEqual(own);
    expect(await findUpdated(() => setActive(true))).toEqual([false, true, false]);
    expect(await findUpdated(() => client.delete(`/api/folders/${source}`).expect(204))).toEqual(mirrored);
    const list = (await client.get('/api/zones').expect(200)).body as { id: number }[];
    expect(
      list
        .slice(0, 2)
        .map((file) => file.id)
        .sort((a, b) => a - b),
    ).toEqual([zone.id, target.id]);
    expect(await findUpdated(() => client.delete(`/api/folder-mirrors/${mirror.id}`).expect(204))).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('lets a member of the target zone list, view, download and read ranges', async () => {
    const get = (path: string) => viewer.client.get(path).expect(200);
    expect(await listFolders(viewer.client)).toMatchObject([
      { id: mirror.targetFolderId, folderCount: 1, fileCount: 0 },
    ]);
    expect(await listFolders(viewer.client, target.id, mirror.targetFolderId)).toMatchObject([
      { id: inner, zoneId: target.id, parentId: mirror.targetFolderId, readOnly: true, isMirror: false, fileCount: 1 },
    ]);
    expect((await get(`/api/zones/${target.id}/files?folderId=${inner}`)).body).toMatchObject([
      { id: file.id, zoneId: target.id, folderId: inner, readOnly: true, can: { download: true, rename: false } },
    ]);
    expect((await get(`/api/files/${file.id}/view`)).text).toBe('0123456789');
    const download = await get(`/api/files/${file.id}/download`);
    expect(download.headers['content-disposition']).toContain('attachment');
    const part = await viewer.client.get(`/api/files/${file.id}/view`).set('Range', 'bytes=2-4').expect(206);
    expect(part.text).toBe('234');
    await viewer.client.get(`/api/zones/${zone.id}`).expect(404);
  });

  it('reflects changes of the source at once', async () => {
    const added = await uploadFile(owner.client, zone.id, 'added.txt', 'x', `?folderId=${source}`);
    const listVisibleNames = async () =>
      (
        (await viewer.client.get(`/api/zones/${target.id}/files?folderId=${mirror.targetFolderId}`)).body as {
          originalName: string;
        }[]
      ).map(({ originalName }) => originalName);
    expect(await listVisibleNames()).toEqual(['added.txt']);
    await owner.client.patch(`/api/files/${added.id}/rename`).send({ originalName: 'other' }).expect(200);
    expect(await listVisibleNames()).toEqual(['other.txt']);
    await owner.client.delete(`/api/files/${added.id}`).expect(204);
    expect(await listVisibleNames()).toEqual([]);
    await viewer.client.get(`/api/files/${added.id}/view`).expect(404);
  });

  it('does not serve files that may not be downloaded', async () => {
    await execute('update files set allow_download = false where id = ?', [file.id]);
    await viewer.client.get(`/api/files/${file.id}/view`).expect(403);
    await viewer.client.get(`/api/files/${file.id}/download`).expect(403);
  });

  it('exposes nothing outside the source', async () => {
    const sibling = await uploadFile(owner.client, zone.id, 'sibling.txt', 'x');
    await viewer.client.get(`/api/files/${sibling.id}/view`).expect(404);
    const other = await createFolder(owner.client, zone.id, 'Other');
    await viewer.client.get(`/api/folders/${other}`).expect(404);
    await viewer.client.get(`/api/zones/${target.id}/folders?parentId=${other}`).expect(404);
    await viewer.client.get(`/api/folders/${source}`).expect(200);
  });

  it('rejects all writes by owner and zone admins', async () => {
    const { type, body } = buildMultipart({ name: 'x', body: 'x' });
    const writes = (
      parentId: number,
    ): ((client: Client) => PromiseLike<{ status: number; body: { code: string } }>)[] => [
      (c) => c.post(`/api/zones/${target.id}/folders`).send({ name: 'x', parentId }),
      (c) => c.post(`/api/zones/${target.id}/files?folderId=${parentId}`).set('Content-Type', type).send(body),
    ];
    const rejected = await owner.client.post(`/api/zones/${target.id}/folders`).send({ name: 'x', parentId: inner });
    expect(rejected.body.message).toBe(
      'Cannot create folders inside mirror locations. Please create folders in the source zone and they will sync automatically.',
    );
    for (const write of [...writes(mirror.targetFolderId), ...writes(inner)]) {
      for (const client of [owner.client, helper.client]) {
        expect(await write(client)).toMatchObject({ status: 409, body: { code: 'MIRROR_READ_ONLY' } });
      }
    }
    const changes: ((client: Client) => PromiseLike<{ status: number; body: { code: string } }>)[] = [
      (c) => c.patch(`/api/files/${file.id}/rename`).send({ originalName: 'x' }),
      (c) => c.delete(`/api/files/${file.id}`),
      (c) => c.patch(`/api/folders/${inner}`).send({ name: 'x' }),
      (c) => c.delete(`/api/folders/${inner}`),
    ];
    for (const change of changes) {
      expect(await change(helper.client)).toMatchObject({ status: 409, body: { code: 'MIRROR_READ_ONLY' } });
      expect((await change(viewer.client)).status).toBe(403);
    }
    await helper.client.delete(`/api/folders/${mirror.targetFolderId}`).expect(403);
    await helper.client.patch(`/api/folders/${mirror.targetFolderId}`).send({ name: 'x' }).expect(403);
  });

  it('stores and counts the bytes once', async () => {
    const used = async () =>
      (await execute(`select used::int as used from usage where owner_id = ? and metric = 'bytes'`, [owner.id]))[0];
    const before = await used();
    const third = await createZone(owner);
    await createMirrorIn(third.id);
    await owner.client.get(`/api/files/${file.id}/download`).expect(200);
    expect(await used()).toEqual(before);
    for (const { id } of [target, third]) {
      expect((await owner.client.get(`/api/zones/${id}`)).body).toMatchObject({ fileCount: 0, folderCount: 0 });
    }
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body).toMatchObject({ fileCount: 1, folderCount: 2 });
  });

  it('records a view in the zone where it happened', async () => {
    await viewer.client.get(`/api/files/${file.id}/view`).expect(200);
    const [entry] = await execute(
      `select zone_id::int as zone from activity where file_id = ? and type = 'file.viewed'`,
      [file.id],
    );
    expect(entry).toEqual({ zone: target.id });
  });

  describe('end of access', () => {
    const paths = () => [
      `/api/files/${file.id}/view`,
      `/api/files/${file.id}/download`,
      `/api/folders/${inner}`,
      `/api/folders/${mirror.targetFolderId}`,
      `/api/zones/${target.id}/files?folderId=${inner}`,
      `/api/zones/${target.id}/folders?parentId=${mirror.targetFolderId}`,
    ];
    const readStatuses = async () => {
      const found = new Set<number>();
      for (const path of paths()) found.add((await viewer.client.get(path)).status);
      return [...found];
    };
    const expectGone = async () => {
      expect(await readStatuses()).toEqual([404]);
      const root = await viewer.client.get(`/api/zones/${target.id}/folders`);
      expect(root.status === 404 ? [] : root.body).toEqual([]);
    };

    beforeEach(async () => expect(await readStatuses()).toEqual([200]));

    it('follows at once when the mirror is removed', async () => {
      await owner.client.delete(`/api/folder-mirrors/${mirror.id}`).expect(204);
      await expectGone();
    });

    it('follows at once when the folder of the mirror is removed', async () => {
      await owner.client.delete(`/api/folders/${mirror.targetFolderId}`).expect(204);
      await expectGone();
    });

    it('lasts while the mirror is deactivated', async () => {
      await owner.client.patch(`/api/folder-mirrors/${mirror.id}`).send({ isActive: false }).expect(200);
      await expectGone();
      await owner.client.patch(`/api/folder-mirrors/${mirror.id}`).send({ isActive: true }).expect(200);
      expect(await readStatuses()).toEqual([200]);
    });

    it('follows at once when the source is trashed, and the mirror can still be removed', async () => {
      await owner.client.delete(`/api/folders/${source}`).expect(204);
      await expectGone();
      const list = (await owner.client.get(`/api/zones/${target.id}/folder-mirrors`)).body;
      expect(list).toMatchObject([{ id: mirror.id, sourceInTrash: true }]);
      await owner.client.delete(`/api/folder-mirrors/${mirror.id}`).expect(204);
    });

    it('follows at once when the membership ends, including on expiry', async () => {
      const member = [target.id, viewer.id];
      await execute(`update zone_members set expires_at = now() where zone_id = ? and user_id = ?`, member);
      await expectGone();
      await execute(`update zone_members set expires_at = null where zone_id = ? and user_id = ?`, member);
      expect(await readStatuses()).toEqual([200]);
      await execute('delete from zone_members where zone_id = ? and user_id = ?', member);
      await expectGone();
    });

    it('follows at once when the target zone is deleted', async () => {
      await owner.client.delete(`/api/zones/${target.id}`).expect(204);
      await expectGone();
      await world.testApp.drain();
      expect((await owner.client.get(`/api/folders/${source}/mirrors`)).body).toEqual([]);
      await owner.client.get(`/api/files/${file.id}/view`).expect(200);
    });

    it("follows at once when the source zone is deleted, with the mirror's folder", async () => {
      await owner.client.delete(`/api/zones/${zone.id}`).expect(204);
      await expectGone();
      expect((await owner.client.get(`/api/zones/${target.id}/folder-mirrors`)).body).toEqual([]);
      await world.testApp.drain();
      expect(await execute('select 1 from folders where id = ?', [mirror.targetFolderId])).toEqual([]);
      expect(await execute('select 1 from folder_mirrors where id = ?', [mirror.id])).toEqual([]);
    });

    it('is permanent when the source is purged', async () => {
      await execute('delete from files where folder_id = ?', [inner]);
      await execute('delete from folders where id = ?', [source]);
      expect(await execute('select 1 from folders where zone_id = ?', [target.id])).toEqual([]);
    });

    it('applies from the start to non-members, members of the source zone and signed-out users', async () => {
      const [outsider, member] = [await registerUser(world), await registerUser(world)];
      await joinPublicZone(zone, member);
      for (const path of paths()) {
        expect((await outsider.client.get(path)).status).toBe(404);
        expect((await world.createClient().get(path)).status).toBe(401);
      }
      await member.client.get(`/api/folders/${mirror.targetFolderId}`).expect(404);
      expect((await member.client.get(`/api/folders/${inner}`).expect(200)).body).toMatchObject({ zoneId: zone.id });
    });
  });
});
