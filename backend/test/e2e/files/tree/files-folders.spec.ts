import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../../support/people/actors.js';
import { World } from '../../../support/world.js';
import { createFolder, uploadFile, postFiles } from '../upload/multipart-helpers.js';

let world: World;
let owner: Actor;
let zone: TestZone;

beforeAll(async () => {
  world = await World.open();
  owner = await registerUser(world);
  zone = await createZone(owner);
});
afterAll(() => world.close());

const listFiles = (query = '') => owner.client.get(`/api/zones/${zone.id}/files${query}`);
const listFolders = (query = '') => owner.client.get(`/api/zones/${zone.id}/folders${query}`);

describe('Folders', () => {
  it('are created, opened and listed with their contents', async () => {
    const name = uniqueName('Folder');
    const { body: created } = await owner.client.post(`/api/zones/${zone.id}/folders`).send({ name }).expect(201);
    expect(created).toMatchObject({ name, zoneId: zone.id, parentId: null, createdById: owner.id, path: [{ name }] });
    const inner = await createFolder(owner.client, zone.id, 'inner', created.id);
    await uploadFile(owner.client, zone.id, 'a.txt', 'x', `?folderId=${created.id}`);
    const { body: opened } = await owner.client.get(`/api/folders/${inner}`).expect(200);
    expect(opened).toMatchObject({ parentId: created.id, path: [{ id: created.id }, { id: inner }] });
    const listed = (await listFolders()).body.find((folder: { id: number }) => folder.id === created.id);
    expect(listed).toMatchObject({ fileCount: 1, folderCount: 1, isMirror: false, readOnly: false });
    expect((await listFolders(`?parentId=${created.id}`)).body).toMatchObject([{ id: inner, parentId: created.id }]);
  });

  it('have unique names among siblings, ignoring case', async () => {
    const parent = await createFolder(owner.client, zone.id, uniqueName('parent'));
    await createFolder(owner.client, zone.id, 'İlk', parent);
    const duplicate = { name: 'ILK', parentId: parent };
    const { body } = await owner.client.post(`/api/zones/${zone.id}/folders`).send(duplicate).expect(409);
    expect(body).toMatchObject({ code: 'DUPLICATE_NAMES', names: ['ILK'] });
    const other = await createFolder(owner.client, zone.id, 'second', parent);
    expect((await owner.client.patch(`/api/folders/${other}`).send({ name: 'ilk' }).expect(409)).body.names).toEqual([
      'ilk',
    ]);
    const renamed = await owner.client.patch(`/api/folders/${other}`).send({ name: ' Second ' }).expect(200);
    expect(renamed.body.name).toBe('Second');
  });

  it('are limited to five levels', async () => {
    let parent: number | undefined;
    for (let depth = 1; depth <= 4; depth++)
      parent = await createFolder(owner.client, zone.id, uniqueName('deep'), parent);
    const fifth = await owner.client
      .post(`/api/zones/${zone.id}/folders`)
      .send({ name: 'fifth', parentId: parent })
      .expect(201);
    expect(fifth.body.can).toMatchObject({ upload: true, createFolder: false });
    const sixth = { name: 'sixth', parentId: fifth.body.id };
    const { body } = await owner.client.post(`/api/zones/${zone.id}/folders`).send(sixth).expect(400);
    expect(body.code).toBe('FOLDER_TOO_DEEP');
  });

  it('are created once by concurrent requests for one name', async () => {
    const name = uniqueName('Once');
    const tries = Array.from({ length: 8 }, () => owner.client.post(`/api/zones/${zone.id}/folders`).send({ name }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  });

  it.each([
    ['without a name', {}, 400, 'VALIDATION_FAILED'],
    ['with a number for a name', { name: 5 }, 400, 'VALIDATION_FAILED'],
    ['with a list for a name', { name: ['a'] }, 400, 'VALIDATION_FAILED'],
    ['with an unknown field', { name: 'a', color: 'red' }, 400, 'VALIDATION_FAILED'],
    ['in a folder that is not a number', { name: 'a', parentId: 'x' }, 400, 'VALIDATION_FAILED'],
    ['in a folder beyond the integer range', { name: 'a', parentId: 1e300 }, 400, 'VALIDATION_FAILED'],
    ['in a missing folder', { name: 'a', parentId: 999_999_999 }, 404, 'FOLDER_NOT_FOUND'],
    ['with a NUL byte', { name: 'a\0b' }, 400, 'VALIDATION_FAILED'],
    ['with a lone surrogate', '{"name":"a\\ud800"}', 400, 'VALIDATION_FAILED'],
    ['without letters', { name: '   ' }, 400, 'INVALID_NAME'],
    ['with a path', { name: '../a' }, 400, 'INVALID_NAME'],
    ['with 300 letters', { name: 'a'.repeat(300) }, 400, 'INVALID_NAME'],
    ['with a body over 1 MB', { name: 'a'.repeat(2 ** 20) }, 413, 'BODY_TOO_LARGE'],
  ])('are rejected %s', async (_how, body, status, code) => {
    const before = (await listFolders()).body.length;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const request = owner.client.post(`/api/zones/${zone.id}/folders`).set('Content-Type', 'application/json');
    const response = await request.send(text).expect(status);
    expect(response.body).toMatchObject({ statusCode: status, code, message: expect.stringMatching(/./) });
    expect((await listFolders()).body).toHaveLength(before);
  });

  it('return errors in the language of the user', async () => {
    const getError = (language: string) =>
      world.createClient().get(`/api/zones/${zone.id}/folders`).set('Accept-Language', language).expect(401);
    expect((await getError('tr')).body.message).not.toBe((await getError('en')).body.message);
  });

  it('are moved to the trash with their contents, and their names become free', async () => {
    const name = uniqueName('Gone');
    const id = await createFolder(owner.client, zone.id, name);
    const inner = await createFolder(owner.client, zone.id, 'inner', id);
    const file = await uploadFile(owner.client, zone.id, 'a.txt', 'x', `?folderId=${inner}`);
    const before = (await owner.client.get(`/api/zones/${zone.id}`)).body;
    await owner.client.delete(`/api/folders/${id}`).expect(204);
    await owner.client.get(`/api/folders/${id}`).expect(404);
    await owner.client.get(`/api/folders/${inner}`).expect(404);
    await owner.client.get(`/api/files/${file.id}/view`).expect(404);
    await listFiles(`?folderId=${inner}`).expect(404);
    await postFiles(owner.client, zone.id, [{ name: 'b.txt', body: 'x' }], `?folderId=${inner}`).expect(404);
    await owner.client.delete(`/api/folders/${id}`).expect(404);
    const after = (await owner.client.get(`/api/zones/${zone.id}`)).body;
    expect(after).toMatchObject({ folderCount: before.folderCount - 2, fileCount: before.fileCount - 1 });
    await createFolder(owner.client, zone.id, name);
  });
});
