import { createZone, registerUser, uniqueName } from '../../../support/people/actors.js';
import { World } from '../../../support/world.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { FilesZone } from '../files-zone.js';
import { createFolder } from '../upload/multipart-helpers.js';

interface TreeFolder {
  path: string;
  id: number;
  name: string;
  existed: boolean;
}

describe('POST /api/zones/:id/folders/tree', () => {
  let world: World;
  let files: FilesZone;

  beforeAll(async () => {
    world = await World.open();
    files = await FilesZone.open(world);
  });
  afterAll(() => world.close());

  const createTree = async (body: object) =>
    (await files.post('folders/tree', body).expect(201)).body as { folders: TreeFolder[]; files: object[] };
  const readCounts = async () => {
    const { fileCount, folderCount } = await files.readCounts();
    return { fileCount, folderCount };
  };
  const newParent = () => files.createFolder(uniqueName('parent'));

  it('creates the folders of all paths, with empty ones, and their parents once', async () => {
    const parentId = await newParent();
    const before = await readCounts();
    const tree = await createTree({
      parentId,
      folders: ['Course/Empty'],
      files: ['Course/a.pdf', 'Course/Week 1/b.pdf', 'Course/Week 1/c.pdf', 'top.pdf'],
    });
    expect(tree.folders.map(({ path, name, existed }) => [path, name, existed])).toEqual([
      ['Course', 'Course', false],
      ['Course/Empty', 'Empty', false],
      ['Course/Week 1', 'Week 1', false],
    ]);
    expect(tree.files).toEqual([]);
    const [course] = tree.folders;
    expect(await files.listNames('folders', `?parentId=${parentId}`)).toEqual(['Course']);
    expect(await files.listNames('folders', `?parentId=${course!.id}`)).toEqual(['Empty', 'Week 1']);
    expect(await readCounts()).toEqual({ ...before, folderCount: before.folderCount + 3 });
  });

  it('uses the folders that exist, whatever their case, and reports the files that do', async () => {
    const parentId = await newParent();
    const docs = await files.createFolder('Docs', parentId);
    const { id } = await files.uploadFile('Read me.txt', docs, 'hello');
    const body = { parentId, folders: ['docs', 'DOCS/new'], files: ['docs/read ME.txt', 'docs/other.txt'] };
    const tree = await createTree(body);
    expect(tree.folders).toEqual([
      { path: 'docs', id: docs, name: 'Docs', existed: true },
      { path: 'DOCS', id: docs, name: 'Docs', existed: true },
      { path: 'DOCS/new', id: expect.any(Number), name: 'new', existed: false },
    ]);
    expect(tree.files).toEqual([{ path: 'docs/read ME.txt', name: 'read ME.txt', existing: { id, size: 5 } }]);
    const again = await createTree(body);
    expect(again.folders.map((folder) => folder.id)).toEqual(tree.folders.map((folder) => folder.id));
    expect(again.folders.every(({ existed }) => existed)).toBe(true);
  });

  it('cleans names that cannot be stored, and keeps those apart that become the same', async () => {
    const parentId = await newParent();
    const long = `${'ö'.repeat(200)}.pdf`;
    const tree = await createTree({
      parentId,
      folders: ['..', 'a\\b'],
      files: ['../x\\y.txt', '../x-y.txt', '../X-Y.TXT', '../x-y.txt', `../${long}`],
    });
    expect(tree.folders.map(({ path, name }) => [path, name])).toEqual([
      ['..', '_'],
      ['a\\b', 'a-b'],
    ]);
    expect(tree.files).toEqual([
      { path: '../x\\y.txt', name: 'x-y.txt', existing: null },
      { path: '../x-y.txt', name: 'x-y (1).txt', existing: null },
      { path: '../X-Y.TXT', name: 'X-Y (2).TXT', existing: null },
      { path: `../${long}`, name: `${'ö'.repeat(125)}.pdf`, existing: null },
    ]);
  });

  it('creates each folder once in concurrent requests', async () => {
    const parentId = await newParent();
    const body = { parentId, folders: Array.from({ length: 40 }, (_, index) => `All/Folder ${index}`) };
    const trees = await Promise.all(Array.from({ length: 6 }, () => createTree(body)));
    const created = trees.flatMap(({ folders }) => folders.filter(({ existed }) => !existed));
    expect(created).toHaveLength(41);
    expect(new Set(trees.map(({ folders }) => JSON.stringify(folders.map(({ id }) => id)))).size).toBe(1);
  });

  it('creates nothing if a folder would be too deep, and names it', async () => {
    const parentId = await newParent();
    const before = await readCounts();
    const body = { parentId, folders: ['ok'], files: ['1/2/3/4/a.txt', '1/2/3/4/5/6/b.txt'] };
    const { body: error } = await files.post('folders/tree', body).expect(400);
    expect(error).toMatchObject({ code: 'FOLDER_TOO_DEEP', names: ['1/2/3/4/5', '1/2/3/4/5/6'] });
    expect(await readCounts()).toEqual(before);
    expect((await createTree({ ...body, files: ['1/2/3/4/a.txt'] })).folders).toHaveLength(5);
  });

  it('refuses folders that are mirrors here', async () => {
    const { owner, zone } = files;
    await allowUnlimitedZones(world, owner);
    const source = await createZone(owner);
    const sourceFolderId = await createFolder(owner.client, source.id, 'Shared');
    const mirror = { sourceFolderId, targetZoneId: zone.id, targetFolderName: 'Shared' };
    await owner.client.post(`/api/zones/${source.id}/folder-mirrors`).send(mirror).expect(201);
    const { body } = await files.post('folders/tree', { files: ['Shared/new/a.txt'] }).expect(409);
    expect(body.code).toBe('MIRROR_READ_ONLY');
  });

  it('stores 10,000 names of which all become the same', async () => {
    const parentId = await newParent();
    const marks = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069', '\u2028'];
    const paths = Array.from({ length: 10_000 }, (_, index) =>
      [...String(index).padStart(4, '0')].map((digit) => marks[Number(digit)]).join(''),
    );
    const tree = await createTree({ parentId, files: paths });
    expect(new Set(tree.files.map((file) => (file as { name: string }).name)).size).toBe(10_000);
  });

  it.each([
    ['nothing', {}, 400, 'NOTHING_CHOSEN'],
    ['no list', { folders: 'a' }, 400, 'VALIDATION_FAILED'],
    ['an empty name', { folders: ['a//b'] }, 400, 'VALIDATION_FAILED'],
    ['a leading slash', { files: ['/etc/passwd'] }, 400, 'VALIDATION_FAILED'],
    ['a number', { files: [1] }, 400, 'VALIDATION_FAILED'],
    ['a NUL byte', { files: ['a\0'] }, 400, 'VALIDATION_FAILED'],
    ['10,001 files', { files: Array.from({ length: 10_001 }, (_, index) => `f${index}`) }, 400, 'VALIDATION_FAILED'],
    [
      '1,001 folders by their files',
      { files: Array.from({ length: 1_001 }, (_, index) => `f${index}/a`) },
      400,
      'TOO_MANY_FOLDERS',
    ],
    ['a missing parent', { parentId: 999_999_999, folders: ['a'] }, 404, 'FOLDER_NOT_FOUND'],
  ])('answers clearly to %s', async (_, body, status, code) => {
    const before = await readCounts();
    expect((await files.post('folders/tree', body)).body).toMatchObject({ code });
    expect((await files.post('folders/tree', body)).status).toBe(status);
    expect(await readCounts()).toEqual(before);
  });

  it('is refused in a folder of another zone', async () => {
    const other = await createZone(await registerUser(world));
    const client = files.owner.client;
    await client
      .post(`/api/zones/${other.id}/folders/tree`)
      .send({ folders: ['a'] })
      .expect(404);
  });
});
