import { DAY } from '../../../../src/platform/clock/clock.js';
import { World } from '../../../support/world.js';
import { FilesZone, type TrashEntry } from '../files-zone.js';

let world: World;
let here: FilesZone;

beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  here = await FilesZone.open(world);
});
afterAll(() => world.close());

describe('Trash', () => {
  it('lists deleted items with the user, time and original location', async () => {
    const outer = await here.createFolder('Outer');
    const inner = await here.createFolder('Inner', outer);
    await here.uploadFile('a.txt', inner, 'four');
    await here.uploadFile('b.txt', inner, 'three');
    const single = await here.uploadFile('single.txt', outer, '12');
    await here.deleteItem('files', single.id);
    await here.deleteItem('folders', inner);
    expect(await here.listTrash()).toMatchObject([
      { kind: 'folder', id: inner, name: 'Inner', mimeType: null, fileCount: 2, size: 9, location: ['Outer'] },
      { kind: 'file', id: single.id, name: 'single.txt', mimeType: 'text/plain', fileCount: 1, size: 2 },
    ]);
    const [entry] = (await here.listTrash()) as unknown as Record<string, string>[];
    expect(entry!.deletedBy).toBe('Ada Test');
    const [deleted, purges] = [new Date(entry!.deletedAt!).getTime(), new Date(entry!.purgesAt!).getTime()];
    expect(Math.abs(deleted - world.now())).toBeLessThan(60_000);
    expect(purges - deleted).toBe(30 * DAY);
  });

  it('is paginated', async () => {
    for (const name of ['1', '2', '3']) await here.deleteItem('files', (await here.uploadFile(name)).id);
    const first = await here.owner.client.get(`/api/zones/${here.zone.id}/trash?limit=2`).expect(200);
    expect(first.headers['x-total-count']).toBe('3');
    const next = await here.owner.client.get(/<(.+)>/.exec(first.headers.link!)![1]!).expect(200);
    expect([...first.body, ...next.body].map(({ name }: TrashEntry) => name)).toEqual(['3', '2', '1']);
    expect(next.headers.link).toBeUndefined();
    await here.owner.client.get(`/api/zones/${here.zone.id}/trash?cursor=WyJhIl0`).expect(400);
  });

  it('records a selection as one deletion, which one call restores', async () => {
    const outer = await here.createFolder('outer');
    const inner = await here.createFolder('inner', outer);
    const [a, b] = [await here.uploadFile('a.txt', inner), await here.uploadFile('b.txt')];
    const selection = { fileIds: [a.id, b.id], folderIds: [outer, inner] };
    const before = await here.readCounts();
    const { body } = await here.post('delete', selection).expect(200);
    expect(body).toEqual({ trashId: expect.any(String), files: 2, folders: 2 });
    expect(await here.readCounts()).toMatchObject({ fileCount: 0, folderCount: 0 });
    const entries = await here.listTrash();
    expect(entries.map(({ name }) => name).sort()).toEqual(['b.txt', 'outer']);
    expect(new Set(entries.map(({ trashId }) => trashId))).toEqual(new Set([body.trashId]));
    const restored = await here.post('trash/restore', { trashId: body.trashId }).expect(200);
    expect(restored.body).toEqual([
      { kind: 'folder', id: outer, name: 'outer', folderId: null },
      { kind: 'file', id: b.id, name: 'b.txt', folderId: null },
    ]);
    expect(await here.listTrash()).toEqual([]);
    expect(await here.readCounts()).toMatchObject({ fileCount: before.fileCount, folderCount: before.folderCount });
    await here.owner.client.get(`/api/files/${a.id}/view`).expect(200);
    await here.post('trash/restore', { trashId: body.trashId }).expect(404);
  });

  it('moves a whole selection or nothing to the trash', async () => {
    const [survivor, deleted] = [await here.uploadFile('here'), await here.uploadFile('gone')];
    await here.deleteItem('files', deleted.id);
    expect((await here.post('delete', { fileIds: [survivor.id, deleted.id] }).expect(404)).body.code).toBe(
      'FILE_NOT_FOUND',
    );
    expect(await here.listNames('files')).toEqual(['here']);
    expect((await here.post('delete', {}).expect(400)).body.code).toBe('NOTHING_CHOSEN');
  });

  it('returns the trash ID of each deletion in a header', async () => {
    const { id } = await here.uploadFile('a.txt');
    const trashId = await here.deleteItem('files', id);
    await here.post('trash/restore', { trashId }).expect(200);
    await here.owner.client.get(`/api/files/${id}/view`).expect(200);
  });
});

describe('Restored items', () => {
  it('return to their folder even if it was moved and renamed', async () => {
    const [folderId, other] = [await here.createFolder('place'), await here.createFolder('other')];
    const { id } = await here.uploadFile('a.txt', folderId);
    await here.deleteItem('files', id);
    await here.owner.client.patch(`/api/folders/${folderId}`).send({ name: 'renamed' }).expect(200);
    await here.owner.client.patch(`/api/folders/${folderId}/move`).send({ targetFolderId: other }).expect(200);
    expect(await here.listTrash()).toMatchObject([{ location: ['other', 'renamed'] }]);
    const { body } = await here.post('trash/restore', { fileIds: [id] }).expect(200);
    expect(body).toEqual([{ kind: 'file', id, name: 'a.txt', folderId }]);
  });

  it('go to the root when their folder is in the trash or purged', async () => {
    const outer = await here.createFolder('outer');
    const inner = await here.createFolder('inner', outer);
    const [a, b] = [await here.uploadFile('a.txt', outer), await here.uploadFile('b.txt', outer)];
    for (const { id } of [a, b]) await here.deleteItem('files', id);
    await here.deleteItem('folders', inner);
    await here.deleteItem('folders', outer);
    expect((await here.post('trash/restore', { fileIds: [a.id] }).expect(200)).body[0].folderId).toBeNull();
    await here.post('trash/purge', { folderIds: [outer] }).expect(200);
    expect((await here.listTrash()).map(({ name }) => name)).toEqual(['inner', 'b.txt']);
    const { body } = await here.post('trash/restore', { fileIds: [b.id], folderIds: [inner] }).expect(200);
    expect(body).toMatchObject([
      { id: inner, folderId: null },
      { id: b.id, folderId: null },
    ]);
  });

  it('return to a folder that is restored in the same request', async () => {
    const outer = await here.createFolder('outer');
    const inner = await here.createFolder('inner', outer);
    const { id } = await here.uploadFile('a.txt', inner);
    await here.deleteItem('files', id);
    await here.deleteItem('folders', inner);
    await here.deleteItem('folders', outer);
    await here.post('trash/restore', { fileIds: [id], folderIds: [inner, outer] }).expect(200);
    expect((await here.owner.client.get(`/api/folders/${inner}`).expect(200)).body.parentId).toBe(outer);
    expect(await here.listNames('files', `?folderId=${inner}`)).toEqual(['a.txt']);
  });

  it('go to the root when their folder is too deep now', async () => {
    const moving = await here.createFolder('moving');
    const inner = await here.createFolder('inner', moving);
    await here.createFolder('lowest', inner);
    await here.deleteItem('folders', inner);
    let deep: number | undefined;
    for (const name of ['1', '2', '3']) deep = await here.createFolder(name, deep);
    await here.owner.client.patch(`/api/folders/${moving}/move`).send({ targetFolderId: deep }).expect(200);
    const { body } = await here.post('trash/restore', { folderIds: [inner] }).expect(200);
    expect(body).toMatchObject([{ id: inner, folderId: null }]);
  });

  it('are numbered when their name was taken meanwhile', async () => {
    const [folderId, second] = [await here.createFolder('Place'), await here.uploadFile('a.txt')];
    await here.deleteItem('files', second.id);
    await here.deleteItem('folders', folderId);
    const third = await here.uploadFile('A.txt');
    await here.deleteItem('files', third.id);
    await Promise.all([here.uploadFile('a.txt'), here.createFolder('place')]);
    const { body } = await here
      .post('trash/restore', { fileIds: [second.id, third.id], folderIds: [folderId] })
      .expect(200);
    expect(body.map(({ name }: TrashEntry) => name)).toEqual(['Place (1)', 'a (1).txt', 'A (2).txt']);
  });

  it('must be entries of this trash', async () => {
    const outer = await here.createFolder('outer');
    const { id } = await here.uploadFile('inside.txt', outer);
    await here.deleteItem('folders', outer);
    const wrong = [{ fileIds: [id] }, { fileIds: [999_999_999] }, { folderIds: [outer, 999_999_999] }];
    for (const body of [...wrong, { trashId: '00000000-0000-4000-8000-000000000000' }]) {
      expect((await here.post('trash/restore', body).expect(404)).body.code).toBe('TRASH_NOT_FOUND');
    }
    for (const body of wrong) await here.post('trash/purge', body).expect(404);
    for (const [what, body] of [
      ['trash/restore', {}],
      ['trash/restore', { trashId: 'x' }],
      ['trash/purge', {}],
      ['trash/purge', { all: 'yes' }],
    ] as const) {
      await here.post(what, body).expect(400);
    }
    expect(await here.listTrash()).toHaveLength(1);
  });
});
