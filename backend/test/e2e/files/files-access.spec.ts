import { randomUUID } from 'node:crypto';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { buildMultipart, createFolder, uploadFile } from './upload/multipart-helpers.js';
import { replaceFile } from './versions/version-helpers.js';

describeInProcess('Permissions for files and folders', () => {
  let world: World;
  let zone: TestZone;
  let people: Record<'owner' | 'admin' | 'member' | 'expired' | 'outsider' | 'signedOut', Client>;
  let owner: Actor;

  const execute = (sql: string, params: unknown[]) => world.testApp.em().getConnection().execute(sql, params);

  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    zone = await createZone(owner);
    const [admin, member, expired] = [await registerUser(world), await registerUser(world), await registerUser(world)];
    const outsider = await registerUser(world);
    for (const actor of [admin, member, expired]) await joinPublicZone(zone, actor);
    await execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, admin.id]);
    await execute(
      `update zone_members set expires_at = now() - interval '1 second' where zone_id = ? and user_id = ?`,
      [zone.id, expired.id],
    );
    people = {
      owner: owner.client,
      admin: admin.client,
      member: member.client,
      expired: expired.client,
      outsider: outsider.client,
      signedOut: world.createClient(),
    };
  });
  afterAll(() => world.close());

  type Person = keyof typeof people;

  /** The response statuses in the order owner, admin, member, expired, outsider, signed out. */
  async function collectStatuses(sendRequest: (client: Client) => Promise<{ status: number }>): Promise<number[]> {
    const statuses: number[] = [];
    for (const person of Object.keys(people) as Person[]) statuses.push((await sendRequest(people[person])).status);
    return statuses;
  }

  const newFile = () => uploadFile(owner.client, zone.id, `${uniqueName('file')}.txt`, 'text');
  const newFolder = () => createFolder(owner.client, zone.id, uniqueName('folder'));
  const deletedFile = async () => {
    const { id } = await newFile();
    await people.owner.delete(`/api/files/${id}`).expect(204);
    return id;
  };
  const upload = (client: Client) => {
    const { type, body } = buildMultipart({ name: uniqueName('up'), body: 'x' });
    return client.post(`/api/zones/${zone.id}/files`).set('Content-Type', type).send(body);
  };

  it.each([
    ['GET /api/zones/{id}/files', [200, 200, 200, 404, 404, 401], (c: Client) => c.get(`/api/zones/${zone.id}/files`)],
    [
      'GET /api/zones/{id}/files/position',
      [200, 200, 200, 404, 404, 401],
      async (c: Client) => c.get(`/api/zones/${zone.id}/files/position?fileId=${(await newFile()).id}`),
    ],
    [
      'GET /api/zones/{id}/folders',
      [200, 200, 200, 404, 404, 401],
      (c: Client) => c.get(`/api/zones/${zone.id}/folders`),
    ],
    [
      'GET /api/zones/{id}/folders/position',
      [200, 200, 200, 404, 404, 401],
      async (c: Client) => c.get(`/api/zones/${zone.id}/folders/position?folderId=${await newFolder()}`),
    ],
    ['POST /api/zones/{id}/files', [201, 201, 403, 404, 404, 401], upload],
    [
      'POST /api/zones/{id}/folders',
      [201, 201, 403, 404, 404, 401],
      (c: Client) => c.post(`/api/zones/${zone.id}/folders`).send({ name: uniqueName('f') }),
    ],
    [
      'POST /api/zones/{id}/folders/tree',
      [201, 201, 403, 404, 404, 401],
      (c: Client) => c.post(`/api/zones/${zone.id}/folders/tree`).send({ folders: [uniqueName('f')] }),
    ],
    [
      'GET /api/folders/{id}',
      [200, 200, 200, 404, 404, 401],
      async (c: Client) => c.get(`/api/folders/${await newFolder()}`),
    ],
    [
      'PATCH /api/folders/{id}',
      [200, 200, 403, 404, 404, 401],
      async (c: Client) => c.patch(`/api/folders/${await newFolder()}`).send({ name: uniqueName('f') }),
    ],
    [
      'DELETE /api/folders/{id}',
      [204, 204, 403, 404, 404, 401],
      async (c: Client) => c.delete(`/api/folders/${await newFolder()}`),
    ],
    [
      'GET /api/files/{id}',
      [200, 200, 200, 404, 404, 401],
      async (c: Client) => c.get(`/api/files/${(await newFile()).id}`),
    ],
    [
      'GET /api/files/{id}/view',
      [200, 200, 200, 404, 404, 401],
      async (c: Client) => c.get(`/api/files/${(await newFile()).id}/view`),
    ],
    [
      'GET /api/files/{id}/download',
      [200, 200, 200, 404, 404, 401],
      async (c: Client) => c.get(`/api/files/${(await newFile()).id}/download`),
    ],
    [
      'PATCH /api/files/{id}/rename',
      [200, 200, 403, 404, 404, 401],
      async (c: Client) => c.patch(`/api/files/${(await newFile()).id}/rename`).send({ originalName: uniqueName('f') }),
    ],
    [
      'POST /api/files/{id}/pages/reading',
      // Owners and admins aren't recorded, so the version is checked for members only.
      [200, 200, 409, 404, 404, 401],
      async (c: Client) =>
        c
          .post(`/api/files/${(await newFile()).id}/pages/reading`)
          .send({ batch: randomUUID(), version: 2, entries: [{ page: 1, ms: 1000 }] }),
    ],
    [
      'GET /api/files/{id}/reading',
      [200, 403, 403, 404, 404, 401],
      async (c: Client) => c.get(`/api/files/${(await newFile()).id}/reading`),
    ],
    [
      'GET /api/files/{id}/reading/readers',
      [200, 403, 403, 404, 404, 401],
      async (c: Client) => c.get(`/api/files/${(await newFile()).id}/reading/readers`),
    ],
    [
      'GET /api/files/{id}/reading.csv',
      [200, 403, 403, 404, 404, 401],
      async (c: Client) => c.get(`/api/files/${(await newFile()).id}/reading.csv`),
    ],
    [
      'GET /api/files/{id}/reading/mine',
      [200, 200, 200, 404, 404, 401],
      async (c: Client) => c.get(`/api/files/${(await newFile()).id}/reading/mine`),
    ],
    [
      'GET /api/files/{id}/versions',
      [200, 200, 403, 404, 404, 401],
      async (c: Client) => c.get(`/api/files/${(await newFile()).id}/versions`),
    ],
    [
      'POST /api/files/{id}/versions',
      [201, 201, 403, 404, 404, 401],
      async (c: Client) => replaceFile(c, (await newFile()).id, 'new.txt', 'new'),
    ],
    [
      'DELETE /api/files/{id}',
      [204, 204, 403, 404, 404, 401],
      async (c: Client) => c.delete(`/api/files/${(await newFile()).id}`),
    ],
    [
      'POST /api/zones/{id}/trash/restore',
      [200, 200, 403, 404, 404, 401],
      async (c: Client) => c.post(`/api/zones/${zone.id}/trash/restore`).send({ fileIds: [await deletedFile()] }),
    ],
    [
      'POST /api/zones/{id}/trash/purge',
      [200, 403, 403, 404, 404, 401],
      async (c: Client) => c.post(`/api/zones/${zone.id}/trash/purge`).send({ fileIds: [await deletedFile()] }),
    ],
  ])('%s', async (_route, expected, sendRequest) => {
    expect(await collectStatuses(async (client) => sendRequest(client))).toEqual(expected);
  });

  it('return the same 404 for missing and foreign files', async () => {
    for (const id of ['999999999', '0', '-1', 'abc', '1.5', '99999999999999999999']) {
      expect((await people.owner.get(`/api/files/${id}`)).status).toBe(404);
      expect((await people.owner.get(`/api/files/${id}/view`)).status).toBe(404);
      expect((await people.owner.get(`/api/folders/${id}`)).status).toBe(404);
      expect((await people.owner.delete(`/api/files/${id}`)).status).toBe(404);
    }
    const foreign = await people.outsider.get(`/api/files/${(await newFile()).id}/view`);
    const missing = await people.outsider.get('/api/files/999999999/view');
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
  });

  it('are part of the file and folder responses', async () => {
    const folderId = await newFolder();
    await uploadFile(owner.client, zone.id, 'a.txt', 'x', `?folderId=${folderId}`);
    const readAbilities = async (person: Person) => {
      const folder = (await people[person].get(`/api/folders/${folderId}`).expect(200)).body.can;
      const file = (await people[person].get(`/api/zones/${zone.id}/files?folderId=${folderId}`).expect(200)).body[0]
        .can;
      return { folder, file };
    };
    const all = {
      folder: { upload: true, createFolder: true, rename: true, move: true, delete: true },
      file: {
        view: true,
        download: true,
        text: true,
        rename: true,
        move: true,
        delete: true,
        allowDownload: true,
        replace: true,
      },
    };
    const allWith = (share: boolean) => ({
      folder: { ...all.folder, share },
      file: { ...all.file, share, seeOpenings: share },
    });
    expect(await readAbilities('owner')).toEqual(allWith(true));
    expect(await readAbilities('admin')).toEqual(allWith(false));
    expect(await readAbilities('member')).toEqual({
      folder: { upload: false, createFolder: false, rename: false, move: false, delete: false, share: false },
      file: {
        view: true,
        download: true,
        text: true,
        rename: false,
        move: false,
        delete: false,
        allowDownload: false,
        replace: false,
        share: false,
        seeOpenings: false,
      },
    });
  });

  it('deny everything in zones of a deactivated owner and deleted zones', async () => {
    const file = await newFile();
    const setNow = (table: string, column: string, id: number) =>
      execute(`update ${table} set ${column} = now() where id = ?`, [id]);
    const back = (table: string, column: string, id: number) =>
      execute(`update ${table} set ${column} = null where id = ?`, [id]);
    await setNow('users', 'deactivated_at', owner.id);
    await people.member.get(`/api/files/${file.id}/view`).expect(404);
    await back('users', 'deactivated_at', owner.id);
    await setNow('zones', 'deleted_at', zone.id);
    await people.member.get(`/api/files/${file.id}/view`).expect(404);
    await back('zones', 'deleted_at', zone.id);
    await people.member.get(`/api/files/${file.id}/view`).expect(200);
  });

  describe('through a mirror', () => {
    let target: TestZone;
    let viewer: Actor;
    let helper: Actor;
    let source: number;
    let inner: number;
    let mount: number;
    let file: { id: number };
    let outside: { id: number };

    beforeAll(async () => {
      await execute(
        `insert into usage (owner_id, metric, period, allowed) values (?, 'zones', '', null)
        on conflict (owner_id, metric, period) do update set allowed = null`,
        [owner.id],
      );
      target = await createZone(owner);
      [viewer, helper] = [await registerUser(world), await registerUser(world)];
      for (const actor of [viewer, helper]) await joinPublicZone(target, actor);
      await execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [target.id, helper.id]);
      source = await newFolder();
      inner = await createFolder(owner.client, zone.id, 'inner', source);
      file = await uploadFile(owner.client, zone.id, 'inside.txt', 'shared text', `?folderId=${inner}`);
      outside = await newFile();
      mount = await createFolder(owner.client, target.id, 'Mount');
      await execute(
        `insert into folder_mirrors (source_folder_id, source_zone_id, target_zone_id, target_folder_id, created_at, updated_at)
         values (?, ?, ?, ?, now(), now())`,
        [source, zone.id, target.id, mount],
      );
    });

    it('allow a member of the target zone to read source files as part of that zone', async () => {
      const get = (path: string) => viewer.client.get(path).expect(200);
      expect((await get(`/api/zones/${target.id}/folders`)).body).toMatchObject([
        { id: mount, name: 'Mount', isMirror: true, readOnly: true, folderCount: 1, zoneId: target.id },
      ]);
      const visibleFolders = (await get(`/api/zones/${target.id}/folders?parentId=${mount}`)).body;
      expect(visibleFolders).toMatchObject([
        { id: inner, parentId: mount, zoneId: target.id, isMirror: false, readOnly: true },
      ]);
      const files = (await get(`/api/zones/${target.id}/files?folderId=${inner}`)).body;
      expect(files).toMatchObject([{ id: file.id, zoneId: target.id, folderId: inner, readOnly: true }]);
      const reading = { view: true, download: true, rename: false, move: false, delete: false, allowDownload: false };
      expect(files[0].can).toMatchObject(reading);
      expect((await get(`/api/folders/${inner}`)).body).toMatchObject({
        zoneId: target.id,
        parentId: mount,
        readOnly: true,
        path: [
          { id: mount, name: 'Mount' },
          { id: inner, name: 'inner' },
        ],
      });
      expect((await get(`/api/files/${file.id}`)).body).toEqual(files[0]);
      const direct = await uploadFile(owner.client, zone.id, 'direct.txt', 'x', `?folderId=${source}`);
      const [listed] = (await get(`/api/zones/${target.id}/files?folderId=${mount}`)).body;
      expect(listed).toMatchObject({ id: direct.id, folderId: mount });
      expect((await get(`/api/files/${direct.id}`)).body).toEqual(listed);
      expect((await get(`/api/files/${file.id}/view`)).text).toBe('shared text');
      await viewer.client.get(`/api/files/${outside.id}/view`).expect(404);
      await viewer.client.get(`/api/zones/${zone.id}/files?folderId=${inner}`).expect(404);
    });

    it('reject every change', async () => {
      const expectRejection = async (request: Promise<{ status: number; body: { code: string } }>) =>
        expect(await request).toMatchObject({ status: 409, body: { code: 'MIRROR_READ_ONLY' } });
      for (const parentId of [mount, inner]) {
        for (const client of [owner.client, helper.client]) {
          await expectRejection(client.post(`/api/zones/${target.id}/folders`).send({ name: 'x', parentId }));
          const { type, body } = buildMultipart({ name: 'x', body: 'x' });
          await expectRejection(
            client.post(`/api/zones/${target.id}/files?folderId=${parentId}`).set('Content-Type', type).send(body),
          );
        }
      }
      await expectRejection(helper.client.delete(`/api/files/${file.id}`));
      await expectRejection(helper.client.patch(`/api/files/${file.id}/rename`).send({ originalName: 'x' }));
      await expectRejection(helper.client.delete(`/api/folders/${inner}`));
      await viewer.client.delete(`/api/files/${file.id}`).expect(403);
      await helper.client.delete(`/api/folders/${mount}`).expect(403);
    });

    it('change at once with the mirror, the source and the membership', async () => {
      const read = async () => (await viewer.client.get(`/api/files/${file.id}/view`)).status;
      expect(await read()).toBe(200);
      await execute('update folder_mirrors set is_active = false where target_folder_id = ?', [mount]);
      expect(await read()).toBe(404);
      await viewer.client.get(`/api/zones/${target.id}/files?folderId=${inner}`).expect(404);
      expect((await viewer.client.get(`/api/zones/${target.id}/folders`)).body).toEqual([]);
      await execute('update folder_mirrors set is_active = true where target_folder_id = ?', [mount]);
      expect(await read()).toBe(200);
      const expire = `update zone_members set expires_at = now() - interval '1 second' where zone_id = ? and user_id = ?`;
      await execute(expire, [target.id, viewer.id]);
      expect(await read()).toBe(404);
      await execute('update zone_members set expires_at = null where zone_id = ? and user_id = ?', [
        target.id,
        viewer.id,
      ]);
      expect(await read()).toBe(200);
    });

    it('allow the owner to rename and remove the mirror, and the source stays', async () => {
      await owner.client.patch(`/api/folders/${mount}`).send({ name: 'Other' }).expect(200);
      await owner.client.delete(`/api/folders/${mount}`).expect(204);
      await viewer.client.get(`/api/files/${file.id}/view`).expect(404);
      await owner.client.get(`/api/files/${file.id}/view`).expect(200);
    });
  });
});
