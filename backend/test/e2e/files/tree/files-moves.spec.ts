import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { World } from '../../../support/world.js';
import { createFolder, uploadFile, postFiles } from '../upload/multipart-helpers.js';
import { fullOrShort } from '../../../support/full-or-short.js';

let world: World;
let owner: Actor;
let zone: TestZone;

beforeAll(async () => {
  world = await World.open();
  owner = await registerUser(world);
  zone = await createZone(owner);
});
afterAll(() => world.close());

const createUniqueFolder = (name: string, parent?: number) =>
  createFolder(owner.client, zone.id, uniqueName(name), parent);
const createNamedFolder = (name: string, parent?: number) => createFolder(owner.client, zone.id, name, parent);
const uploadTextFile = (name: string, folderId?: number) =>
  uploadFile(owner.client, zone.id, name, 'x', folderId ? `?folderId=${folderId}` : '');
const listFilesIn = async (folderId: number) =>
  (await owner.client.get(`/api/zones/${zone.id}/files?folderId=${folderId}`).expect(200)).body as { name: string }[];
const listFoldersIn = async (id: number) =>
  (await owner.client.get(`/api/zones/${zone.id}/folders?parentId=${id}`).expect(200)).body as { name: string }[];
const moveFile = (id: number, body: object) => owner.client.patch(`/api/files/${id}/move`).send(body);
const moveFolder = (id: number, body: object) => owner.client.patch(`/api/folders/${id}/move`).send(body);
const moveMany = (body: object) => owner.client.post(`/api/zones/${zone.id}/move`).send(body);

describe('PATCH /api/files/:id/move', () => {
  it('moves a file into a folder, another folder and the root', async () => {
    const [first, second] = [await createUniqueFolder('first'), await createUniqueFolder('second')];
    const { id, originalName } = await uploadTextFile(uniqueName('moved'));
    const { body } = await moveFile(id, { targetFolderId: first }).expect(200);
    expect(body).toMatchObject({ id, originalName, folderId: first, can: { move: true } });
    expect(await listFilesIn(first)).toMatchObject([{ id }]);
    expect((await moveFile(id, { targetFolderId: second }).expect(200)).body.folderId).toBe(second);
    expect(await listFilesIn(first)).toEqual([]);
    expect((await moveFile(id, { targetFolderId: null }).expect(200)).body.folderId).toBeNull();
    expect(await listFilesIn(second)).toEqual([]);
    await moveFile(id, { targetFolderId: null }).expect(200);
  });

  it('returns 409 for a taken name or numbers the file when requested', async () => {
    const target = await createUniqueFolder('target');
    await uploadTextFile('Rapor.pdf', target);
    const { id } = await uploadTextFile('RAPOR.pdf');
    const { body } = await moveFile(id, { targetFolderId: target }).expect(409);
    expect(body).toMatchObject({ code: 'DUPLICATE_NAMES', names: ['RAPOR.pdf'] });
    const renamed = await moveFile(id, { targetFolderId: target, onConflict: 'rename' }).expect(200);
    expect(renamed.body).toMatchObject({ originalName: 'RAPOR (1).pdf', folderId: target });
    const again = await moveFile(id, { targetFolderId: target, onConflict: 'rename' }).expect(200);
    expect(again.body.originalName).toBe('RAPOR (1).pdf');
  });

  it.each([
    ['nowhere', {}, 400, 'VALIDATION_FAILED'],
    ['into a folder that is not a number', { targetFolderId: 'x' }, 400, 'VALIDATION_FAILED'],
    ['into folder 0', { targetFolderId: 0 }, 400, 'VALIDATION_FAILED'],
    ['with an unknown conflict rule', { targetFolderId: null, onConflict: 'overwrite' }, 400, 'VALIDATION_FAILED'],
    ['into an unknown folder', { targetFolderId: 999_999_999 }, 404, 'FOLDER_NOT_FOUND'],
  ])('does not move a file %s', async (_where, body, status, code) => {
    const { id } = await uploadTextFile(uniqueName('stays'));
    expect((await moveFile(id, body).expect(status)).body.code).toBe(code);
  });
});

describe('PATCH /api/folders/:id/move', () => {
  it('moves a folder with its contents and updates their paths', async () => {
    const [source, target] = [await createUniqueFolder('source'), await createUniqueFolder('target')];
    const inner = await createUniqueFolder('inner', source);
    const { id } = await uploadTextFile('deep.txt', inner);
    const { body } = await moveFolder(source, { targetFolderId: target }).expect(200);
    expect(body).toMatchObject({ parentId: target, path: [{ id: target }, { id: source }] });
    const { body: below } = await owner.client.get(`/api/folders/${inner}`).expect(200);
    expect(below.path).toMatchObject([{ id: target }, { id: source }, { id: inner }]);
    expect(await listFilesIn(inner)).toMatchObject([{ id }]);
    expect((await moveFolder(source, { targetFolderId: null }).expect(200)).body.parentId).toBeNull();
  });

  it('rejects a move into itself or its subfolders', async () => {
    const outer = await createUniqueFolder('outer');
    const inner = await createUniqueFolder('inner', outer);
    const innermost = await createUniqueFolder('innermost', inner);
    for (const targetFolderId of [outer, inner, innermost]) {
      expect((await moveFolder(outer, { targetFolderId }).expect(409)).body.code).toBe('MOVE_INTO_ITSELF');
    }
  });

  it('rejects a move that would place a subfolder below the fifth level', async () => {
    let parent: number | undefined;
    const chain: number[] = [];
    for (let level = 1; level <= 3; level++) chain.push((parent = await createUniqueFolder('level', parent)));
    const moving = await createUniqueFolder('moving');
    const below = await createUniqueFolder('below', moving);
    await createUniqueFolder('lowest', below);
    expect((await moveFolder(moving, { targetFolderId: chain[2] }).expect(400)).body.code).toBe('FOLDER_TOO_DEEP');
    expect((await owner.client.get(`/api/folders/${moving}`).expect(200)).body.parentId).toBeNull();
    await moveFolder(moving, { targetFolderId: chain[1] }).expect(200);
  });

  it('does not count trashed subfolders', async () => {
    let parent: number | undefined;
    for (let level = 1; level <= 4; level++) parent = await createUniqueFolder('level', parent);
    const moving = await createUniqueFolder('moving');
    const below = await createUniqueFolder('below', moving);
    await owner.client.delete(`/api/folders/${below}`).expect(204);
    await moveFolder(moving, { targetFolderId: parent }).expect(200);
  });
});

describe('POST /api/zones/:id/move', () => {
  it('moves a selection as one and counts only items that were elsewhere', async () => {
    const [target, parent] = [await createUniqueFolder('target'), await createUniqueFolder('parent')];
    const [a, b] = [await uploadTextFile('a.txt', parent), await uploadTextFile('b.txt', target)];
    const inner = await createUniqueFolder('inner', parent);
    const body = { fileIds: [a.id, b.id, a.id], folderIds: [inner], targetFolderId: target };
    expect((await moveMany(body).expect(200)).body).toEqual({ moved: 2 });
    expect((await listFilesIn(target)).map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
    expect(await listFoldersIn(target)).toMatchObject([{ id: inner }]);
    expect((await moveMany(body).expect(200)).body).toEqual({ moved: 0 });
  });

  it('moves nothing when a name conflicts with the target or the selection', async () => {
    const [target, left, right] = [
      await createUniqueFolder('target'),
      await createUniqueFolder('left'),
      await createUniqueFolder('right'),
    ];
    await uploadTextFile('taken.txt', target);
    const ids = [
      await uploadTextFile('free.txt', left),
      await uploadTextFile('taken.txt', left),
      await uploadTextFile('twice.txt', left),
    ];
    const twin = await uploadTextFile('TWICE.txt', right);
    const fileIds = [...ids, twin].map(({ id }) => id);
    const { body } = await moveMany({ fileIds, targetFolderId: target }).expect(409);
    expect(body).toMatchObject({ code: 'DUPLICATE_NAMES', names: ['taken.txt', 'TWICE.txt'] });
    expect(await listFilesIn(target)).toHaveLength(1);
    await moveMany({ fileIds, targetFolderId: target, onConflict: 'rename' }).expect(200);
    const names = (await listFilesIn(target)).map(({ name }) => name).sort();
    expect(names).toEqual(['TWICE (1).txt', 'free.txt', 'taken (1).txt', 'taken.txt', 'twice.txt']);
  });

  it('appends numbers to the whole name of a folder', async () => {
    const [target, from] = [await createUniqueFolder('target'), await createUniqueFolder('from')];
    await createNamedFolder('v1.2', target);
    const moving = await createNamedFolder('V1.2', from);
    await moveMany({ folderIds: [moving], targetFolderId: target, onConflict: 'rename' }).expect(200);
    expect((await listFoldersIn(target)).map(({ name }) => name)).toEqual(['v1.2', 'V1.2 (1)']);
  });

  it('accepts a folder together with one of its subfolders', async () => {
    let parent: number | undefined;
    for (let level = 1; level <= 4; level++) parent = await createUniqueFolder('level', parent);
    const outer = await createUniqueFolder('outer');
    const inner = await createUniqueFolder('inner', outer);
    expect((await moveMany({ folderIds: [outer], targetFolderId: parent }).expect(400)).body.code).toBe(
      'FOLDER_TOO_DEEP',
    );
    expect((await moveMany({ folderIds: [outer, inner], targetFolderId: parent }).expect(200)).body.moved).toBe(2);
    expect(await listFoldersIn(parent!)).toHaveLength(2);
  });

  it.each([
    ['nothing', {}, 400, 'NOTHING_CHOSEN'],
    ['words', { fileIds: ['a'] }, 400, 'VALIDATION_FAILED'],
    ['no array', { fileIds: 5 }, 400, 'VALIDATION_FAILED'],
    ['fractions', { folderIds: [1.5] }, 400, 'VALIDATION_FAILED'],
    ['too many folders', { folderIds: Array.from({ length: 1001 }, (_, n) => n + 1) }, 400, 'VALIDATION_FAILED'],
    ['unknown files', { fileIds: [999_999_999] }, 404, 'FILE_NOT_FOUND'],
    ['unknown folders', { folderIds: [999_999_999] }, 404, 'FOLDER_NOT_FOUND'],
  ])('rejects a selection of %s', async (_what, items, status, code) => {
    expect((await moveMany({ ...items, targetFolderId: null }).expect(status)).body.code).toBe(code);
  });

  it('moves nothing when an item is missing', async () => {
    const [target, survivor, deleted] = [
      await createUniqueFolder('target'),
      await uploadTextFile(uniqueName('kept')),
      await uploadTextFile(uniqueName('gone')),
    ];
    await owner.client.delete(`/api/files/${deleted.id}`).expect(204);
    await moveMany({ fileIds: [survivor.id, deleted.id], targetFolderId: target }).expect(404);
    expect(await listFilesIn(target)).toEqual([]);
  });
});

describe('Moves between zones', () => {
  it('are rejected, and invisible items return 404', async () => {
    const other = await registerUser(world);
    const otherZone = await createZone(other);
    const [hidden, mine] = [
      await createFolder(other.client, otherZone.id, 'hidden'),
      await uploadTextFile(uniqueName('mine')),
    ];
    expect((await moveFile(mine.id, { targetFolderId: hidden }).expect(404)).body.code).toBe('FOLDER_NOT_FOUND');
    const foreign = await uploadFile(other.client, otherZone.id, 'theirs', 'x');
    await moveMany({ fileIds: [foreign.id], targetFolderId: null }).expect(404);
    await joinPublicZone(otherZone, owner);
    const { body } = await moveFile(mine.id, { targetFolderId: hidden }).expect(409);
    expect(body).toMatchObject({ code: 'OTHER_ZONE', message: expect.stringContaining('another zone') });
    expect((await moveMany({ fileIds: [foreign.id], targetFolderId: null }).expect(409)).body.code).toBe('OTHER_ZONE');
    await moveFile(foreign.id, { targetFolderId: null }).expect(403);
  });
});

describe('Concurrent moves', () => {
  const ROUNDS = fullOrShort(15, 5);

  it('create no cycle in opposite directions', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b] = [await createUniqueFolder('a'), await createUniqueFolder('b')];
      const responses = await Promise.all([moveFolder(a, { targetFolderId: b }), moveFolder(b, { targetFolderId: a })]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
      const paths = [];
      for (const id of [a, b]) paths.push((await owner.client.get(`/api/folders/${id}`).expect(200)).body.path.length);
      expect(paths.sort()).toEqual([1, 2]);
    }
  });

  it('leave a folder complete, in place or in the trash, when it is deleted', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [target, moving] = [await createUniqueFolder('target'), await createUniqueFolder('moving')];
      const { id } = await uploadTextFile('inside.txt', moving);
      const [moved, deleted] = await Promise.all([
        moveFolder(moving, { targetFolderId: target }),
        owner.client.delete(`/api/folders/${moving}`),
      ]);
      expect(deleted.status).toBe(204);
      expect([200, 404]).toContain(moved.status);
      await owner.client.get(`/api/files/${id}/view`).expect(404);
      expect(await listFoldersIn(target)).toEqual([]);
      const trashId = deleted.headers['x-trash-id'];
      const { body } = await owner.client.post(`/api/zones/${zone.id}/trash/restore`).send({ trashId }).expect(200);
      expect(body).toMatchObject([{ id: moving }]);
      // "Not found" is also returned if the item was moved and deleted right after.
      expect(moved.status === 200 ? [target] : [null, target]).toContain(body[0].folderId);
      expect(await listFilesIn(moving)).toMatchObject([{ id }]);
    }
  });

  it('lose no file when the target folder is being deleted', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const target = await createUniqueFolder('target');
      const { id } = await uploadTextFile(uniqueName('inside'));
      const [moved, deleted] = await Promise.all([
        moveFile(id, { targetFolderId: target }),
        owner.client.delete(`/api/folders/${target}`),
      ]);
      expect(deleted.status).toBe(204);
      expect([200, 404]).toContain(moved.status);
      await owner.client.get(`/api/files/${id}/view`).expect(moved.status === 200 ? 404 : 200);
    }
  });

  it('succeed once for files with the same name', async () => {
    const target = await createUniqueFolder('target');
    const sources = await Promise.all(Array.from({ length: 6 }, () => createUniqueFolder('source')));
    const files = await Promise.all(sources.map((id) => uploadTextFile('one.txt', id)));
    const responses = await Promise.all([
      ...files.map(({ id }) => moveFile(id, { targetFolderId: target })),
      postFiles(owner.client, zone.id, [{ name: 'ONE.txt', body: 'x' }], `?folderId=${target}`),
    ]);
    const [succeeded, rejected] = [
      responses.filter(({ status }) => status < 300),
      responses.filter(({ status }) => status === 409),
    ];
    expect([succeeded.length, rejected.length]).toEqual([1, 6]);
    expect(await listFilesIn(target)).toHaveLength(1);
  });
});
