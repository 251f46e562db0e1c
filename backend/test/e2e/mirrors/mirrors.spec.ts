import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../support/people/actors.js';
import { describeInProcess, World, type Client } from '../../support/world.js';
import { createFolder } from '../files/upload/multipart-helpers.js';
import { allowUnlimitedZones } from './mirror-helpers.js';

describeInProcess('Folder mirrors', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  let target: TestZone;
  let folder: number;

  const make = (body: object, client = owner.client, zoneId = zone.id) =>
    client.post(`/api/zones/${zoneId}/folder-mirrors`).send(body);
  const mirrorOptions = () => ({
    sourceFolderId: folder,
    targetZoneId: target.id,
    targetFolderName: uniqueName('Mount'),
  });
  const expectRejected = async (body: object, status: number, code: string, zoneId = zone.id) => {
    const response = await make(body, owner.client, zoneId);
    expect([response.status, response.body.code]).toEqual([status, code]);
    return response.body as { message: string; errors?: Record<string, string[]>; names?: string[] };
  };

  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    await allowUnlimitedZones(world, owner);
    zone = await createZone(owner);
  });
  beforeEach(async () => {
    target = await createZone(owner);
    folder = await createFolder(owner.client, zone.id, uniqueName('Source'));
  });
  afterAll(() => world.close());

  it('appear as a root folder of the target zone and are listed on both sides', async () => {
    const body = { ...mirrorOptions(), mirrorType: 'one_way', isActive: true };
    const source = (await owner.client.get(`/api/folders/${folder}`)).body;
    const { body: created } = await make(body).expect(201);
    expect(created).toEqual({
      id: expect.any(Number),
      sourceFolderId: folder,
      sourceFolderName: source.name,
      sourceZoneId: zone.id,
      sourceZoneName: zone.name,
      targetZoneId: target.id,
      targetZoneName: target.name,
      targetFolderId: expect.any(Number),
      targetFolderName: body.targetFolderName,
      mirrorType: 'one_way',
      isActive: true,
      sourceInTrash: false,
      createdById: owner.id,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const lists = [
      `/api/folders/${folder}/mirrors`,
      `/api/folders/${created.targetFolderId}/mirrors`,
      `/api/zones/${target.id}/folder-mirrors`,
    ];
    for (const path of lists) expect((await owner.client.get(path).expect(200)).body).toEqual([created]);
    expect((await owner.client.get(`/api/zones/${zone.id}/folder-mirrors`)).body).toContainEqual(created);
    const folders = (await owner.client.get(`/api/zones/${target.id}/folders`)).body;
    expect(folders).toMatchObject([
      { id: created.targetFolderId, name: body.targetFolderName, parentId: null, isMirror: true, readOnly: true },
    ]);
    expect(folders[0].can).toEqual({
      upload: false,
      createFolder: false,
      rename: true,
      share: false,
      move: false,
      delete: true,
    });
  });

  it('count neither folders nor bytes in the target zone', async () => {
    const readStats = () =>
      world.testApp
        .em()
        .execute<object[]>('select files, folders, bytes::int as bytes from zone_stats where zone_id = ?', [target.id]);
    const before = await readStats();
    const { body: created } = await make(mirrorOptions()).expect(201);
    expect(await readStats()).toEqual(before);
    await owner.client.delete(`/api/folder-mirrors/${created.id}`).expect(204);
    expect(await readStats()).toEqual(before);
  });

  it('are paginated', async () => {
    for (let index = 0; index < 3; index += 1) {
      const sourceFolderId = await createFolder(owner.client, zone.id, uniqueName('Source'));
      await make({ ...mirrorOptions(), sourceFolderId }).expect(201);
    }
    const path = `/api/zones/${target.id}/folder-mirrors`;
    const all = (await owner.client.get(path)).body as { id: number }[];
    const first = await owner.client.get(`${path}?limit=2`).expect(200);
    expect(first.headers['x-total-count']).toBe('3');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.link!)![1]!;
    expect([...first.body, ...(await owner.client.get(next)).body]).toEqual(all);
  });

  it('report missing fields in both languages', async () => {
    const requestErrors = async (language: string) => {
      await world.testApp.em().execute('update users set language = ? where id = ?', [language, owner.id]);
      return (await make({ targetFolderName: '   ' }).expect(400)).body.errors;
    };
    expect(await requestErrors('tr')).toEqual({
      sourceFolderId: ['Lütfen bir klasör seçin'],
      targetZoneId: ['Lütfen bir hedef bölge seçin'],
      targetFolderName: ['Lütfen bir klasör adı girin'],
    });
    expect(await requestErrors('en')).toEqual({
      sourceFolderId: ['Please select a folder'],
      targetZoneId: ['Please select a target zone'],
      targetFolderName: ['Please enter a folder name'],
    });
    await expectRejected({ ...mirrorOptions(), mirrorType: 'two_way' }, 400, 'VALIDATION_FAILED');
    await expectRejected({ ...mirrorOptions(), sourceFolderId: '5' }, 400, 'VALIDATION_FAILED');
    await expectRejected({ ...mirrorOptions(), isActive: 'yes' }, 400, 'VALIDATION_FAILED');
    await expectRejected({ ...mirrorOptions(), more: 1 }, 400, 'VALIDATION_FAILED');
    const { errors: named } = await expectRejected(
      { ...mirrorOptions(), targetFolderName: 'a/b' },
      400,
      'INVALID_NAME',
    );
    expect(named).toHaveProperty('targetFolderName');
  });

  it('cannot target their own zone or have a trashed or foreign source', async () => {
    await expectRejected({ ...mirrorOptions(), targetZoneId: zone.id }, 400, 'MIRROR_SAME_ZONE');
    await expectRejected({ ...mirrorOptions(), sourceFolderId: 999_999_999 }, 404, 'FOLDER_NOT_FOUND');
    await expectRejected({ ...mirrorOptions(), targetZoneId: 999_999_999 }, 404, 'ZONE_NOT_FOUND');
    const otherFolder = await createFolder(owner.client, target.id, uniqueName('Other'));
    const third = await createZone(owner);
    await expectRejected(
      { ...mirrorOptions(), sourceFolderId: otherFolder, targetZoneId: third.id },
      404,
      'FOLDER_NOT_FOUND',
    );
    await owner.client.delete(`/api/folders/${folder}`).expect(204);
    await expectRejected(mirrorOptions(), 404, 'FOLDER_NOT_FOUND');
  });

  it('cannot mirror a mirror or its contents', async () => {
    const inner = await createFolder(owner.client, zone.id, uniqueName('Inner'), folder);
    const { targetFolderId } = (await make(mirrorOptions()).expect(201)).body;
    const third = await createZone(owner);
    for (const sourceFolderId of [targetFolderId, inner]) {
      const body = { ...mirrorOptions(), sourceFolderId, targetZoneId: third.id };
      await expectRejected(body, 409, 'MIRROR_OF_MIRROR', target.id);
    }
    await make({ ...mirrorOptions(), sourceFolderId: inner, targetZoneId: third.id }).expect(201);
  });

  it('are unique per pair and need a free name', async () => {
    await createFolder(owner.client, target.id, 'Sınıf I');
    const { names: clashing } = await expectRejected(
      { ...mirrorOptions(), targetFolderName: 'SINIF ı' },
      409,
      'DUPLICATE_NAMES',
    );
    expect(clashing).toEqual(['SINIF ı']);
    await make({ ...mirrorOptions(), isActive: false }).expect(201);
    await expectRejected(mirrorOptions(), 409, 'DUPLICATE_MIRROR');
  });

  it('are created once for concurrent requests for one pair', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => make(mirrorOptions())));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect((await owner.client.get(`/api/zones/${target.id}/folders`)).body).toHaveLength(1);
    expect((await owner.client.get(`/api/zones/${target.id}/folder-mirrors`)).body).toHaveLength(1);
  });

  it('are created once for concurrent requests for one name', async () => {
    const sources = await Promise.all(
      Array.from({ length: 6 }, () => createFolder(owner.client, zone.id, uniqueName('Source'))),
    );
    const responses = await Promise.all(
      sources.map((sourceFolderId) => make({ ...mirrorOptions(), sourceFolderId, targetFolderName: 'Same' })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(5).fill(409)]);
  });

  it('can be created in both directions concurrently', async () => {
    const foldersInTarget = await Promise.all(
      Array.from({ length: 6 }, () => createFolder(owner.client, target.id, uniqueName('Source'))),
    );
    const foldersInZone = await Promise.all(
      Array.from({ length: 6 }, () => createFolder(owner.client, zone.id, uniqueName('Source'))),
    );
    const responses = await Promise.all([
      ...foldersInZone.map((sourceFolderId) => make({ ...mirrorOptions(), sourceFolderId })),
      ...foldersInTarget.map((sourceFolderId) =>
        make({ ...mirrorOptions(), sourceFolderId, targetZoneId: zone.id }, owner.client, target.id),
      ),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(Array<number>(12).fill(201));
  });

  it('show nothing when the source is deleted concurrently', async () => {
    const [created, deletion] = await Promise.all([
      make(mirrorOptions()),
      owner.client.delete(`/api/folders/${folder}`),
    ]);
    expect([201, 404]).toContain(created.status);
    expect(deletion.status).toBe(204);
    expect((await owner.client.get(`/api/zones/${target.id}/folders`)).body).toEqual([]);
  });

  describe('folder of a mirror', () => {
    let mirror: { id: number; targetFolderId: number };
    const listFolders = async () =>
      ((await owner.client.get(`/api/zones/${target.id}/folders`)).body as { id: number; name: string }[]).map(
        ({ name }) => name,
      );

    beforeEach(async () => {
      mirror = (await make({ ...mirrorOptions(), targetFolderName: 'Mount' }).expect(201)).body;
    });

    it('is renamed together with the mirror', async () => {
      await owner.client.patch(`/api/folders/${mirror.targetFolderId}`).send({ name: 'Other' }).expect(200);
      expect((await owner.client.get(`/api/folders/${folder}/mirrors`)).body).toMatchObject([
        { targetFolderName: 'Other' },
      ]);
    });

    it('is deleted with the mirror', async () => {
      await owner.client.delete(`/api/folder-mirrors/${mirror.id}`).expect(204);
      expect(await listFolders()).toEqual([]);
      await owner.client.get(`/api/folders/${folder}`).expect(200);
      await owner.client.delete(`/api/folder-mirrors/${mirror.id}`).expect(404);
      await createFolder(owner.client, target.id, 'Mount');
    });

    it('deletes the mirror with it', async () => {
      await owner.client.delete(`/api/folders/${mirror.targetFolderId}`).expect(204);
      expect((await owner.client.get(`/api/folders/${folder}/mirrors`)).body).toEqual([]);
      await make({ ...mirrorOptions(), targetFolderName: 'Mount' }).expect(201);
    });

    it('is hidden while the mirror is inactive', async () => {
      const set = (isActive: boolean) => owner.client.patch(`/api/folder-mirrors/${mirror.id}`).send({ isActive });
      expect((await set(false).expect(200)).body).toMatchObject({ id: mirror.id, isActive: false });
      expect(await listFolders()).toEqual([]);
      await owner.client.get(`/api/folders/${mirror.targetFolderId}`).expect(404);
      expect((await set(true).expect(200)).body).toMatchObject({ isActive: true });
      expect(await listFolders()).toEqual(['Mount']);
      await set(false).expect(200);
      await owner.client.delete(`/api/folder-mirrors/${mirror.id}`).expect(204);
      await createFolder(owner.client, target.id, 'Mount');
    });

    it('is hidden from the start for an inactive mirror', async () => {
      const other = await createFolder(owner.client, zone.id, uniqueName('Source'));
      const body = { ...mirrorOptions(), sourceFolderId: other, targetFolderName: 'Hidden', isActive: false };
      expect((await make(body).expect(201)).body.isActive).toBe(false);
      expect(await listFolders()).toEqual(['Mount']);
    });

    it('is recorded in the activity log', async () => {
      await owner.client.delete(`/api/folder-mirrors/${mirror.id}`).expect(204);
      const items = (await owner.client.get('/api/dashboard/activity')).body as { type: string; message: string }[];
      expect(items.slice(0, 2)).toMatchObject([
        { type: 'mirror.removed', message: expect.stringContaining('removed the mirror folder “Mount”') },
        { type: 'mirror.created', message: expect.stringContaining(`to “${target.name}”`) },
      ]);
    });
  });

  describe('permissions', () => {
    it.each<
      [string, number[], (client: Client, ids: { mirror: number; zone: number }) => PromiseLike<{ status: number }>]
    >([
      [
        'GET /api/zones/{id}/folder-mirrors',
        [200, 403, 403, 404, 401],
        (c, { zone: id }) => c.get(`/api/zones/${id}/folder-mirrors`),
      ],
      ['GET /api/folders/{id}/mirrors', [200, 403, 403, 404, 401], (c) => c.get(`/api/folders/${folder}/mirrors`)],
      ['POST /api/zones/{id}/folder-mirrors', [201, 403, 403, 404, 401], (c) => make(mirrorOptions(), c)],
      [
        'PATCH /api/folder-mirrors/{id}',
        [200, 403, 403, 404, 401],
        (c, { mirror }) => c.patch(`/api/folder-mirrors/${mirror}`).send({ isActive: true }),
      ],
      [
        'DELETE /api/folder-mirrors/{id}',
        [204, 403, 403, 404, 401],
        (c, { mirror }) => c.delete(`/api/folder-mirrors/${mirror}`),
      ],
    ])('%s', async (_route, expected, sendRequest) => {
      const [admin, member, outsider] = [
        await registerUser(world),
        await registerUser(world),
        await registerUser(world),
      ];
      for (const actor of [admin, member]) await joinPublicZone(zone, actor);
      await world.testApp
        .em()
        .execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [zone.id, admin.id]);
      const other = await createFolder(owner.client, zone.id, uniqueName('Source'));
      const { id: mirror } = (await make({ ...mirrorOptions(), sourceFolderId: other }).expect(201)).body;
      const clients = [admin, member, outsider].map(({ client }) => client);
      const others: number[] = [];
      for (const client of [...clients, world.createClient()])
        others.push((await sendRequest(client, { mirror, zone: zone.id })).status);
      const own = (await sendRequest(owner.client, { mirror, zone: zone.id })).status;
      expect([own, ...others]).toEqual(expected);
    });

    it('require the target zone to be owned, too', async () => {
      const user = await registerUser(world);
      const foreignZone = await createZone(user);
      await expectRejected({ ...mirrorOptions(), targetZoneId: foreignZone.id }, 404, 'ZONE_NOT_FOUND');
      await joinPublicZone(foreignZone, owner);
      await expectRejected({ ...mirrorOptions(), targetZoneId: foreignZone.id }, 403, 'ZONE_FORBIDDEN');
      await world.testApp
        .em()
        .execute(`update zone_members set role = 'admin' where zone_id = ? and user_id = ?`, [
          foreignZone.id,
          owner.id,
        ]);
      await expectRejected({ ...mirrorOptions(), targetZoneId: foreignZone.id }, 403, 'ZONE_FORBIDDEN');
    });
  });
});
