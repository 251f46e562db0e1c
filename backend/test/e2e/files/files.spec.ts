import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { World } from '../../support/world.js';
import { createFolder, PNG, uploadFile, postFiles } from './upload/multipart-helpers.js';

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
const names = (body: { originalName?: string; name: string }[]) => body.map((item) => item.originalName ?? item.name);

describe('POST /api/zones/:id/files', () => {
  it('stores several files of one request and returns them', async () => {
    const folderId = await createFolder(owner.client, zone.id, uniqueName('several'));
    const parts = [
      { name: 'photo.png', body: PNG },
      { name: 'notes.txt', body: 'Merhaba dünya' },
    ];
    const { body } = await postFiles(owner.client, zone.id, parts, `?folderId=${folderId}`).expect(201);
    expect(body).toMatchObject([
      {
        name: 'photo.png',
        originalName: 'photo.png',
        mimeType: 'image/png',
        size: PNG.length,
        publicUrl: null,
        storageType: 'local',
        zoneId: zone.id,
        folderId,
        uploadedById: owner.id,
        allowDownload: true,
        allowText: true,
        viewCount: 0,
        downloadCount: 0,
        viewable: true,
        readOnly: false,
        can: { view: true, download: true, rename: true, move: true, delete: true },
      },
      { originalName: 'notes.txt', mimeType: 'text/plain', size: 14, viewable: true },
    ]);
    expect(body[0]).not.toHaveProperty('path');
    expect(body[0]).not.toHaveProperty('objectKey');
    expect(new Date(body[0].createdAt).getTime()).toBeGreaterThan(Date.now() - 60_000);
    const listed = await listFiles(`?folderId=${folderId}`).expect(200);
    expect(listed.body).toEqual([body[1], body[0]]);
    expect(listed.headers['x-total-count']).toBe('2');
  });

  it('accepts the folder and conflict rule as fields before the first file', async () => {
    const folderId = await createFolder(owner.client, zone.id, uniqueName('fields'));
    const parts = [
      { field: 'folderId', body: String(folderId) },
      { field: 'onConflict', body: 'rename' },
      { name: 'a.txt', body: 'first' },
      { name: 'a.txt', body: 'second' },
    ];
    const { body } = await postFiles(owner.client, zone.id, parts).expect(201);
    expect(names(body)).toEqual(['a.txt', 'a (1).txt']);
    expect(body[0].folderId).toBe(folderId);
  });

  it("updates the zone's counts of files, folders and bytes", async () => {
    const before = (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body;
    await uploadFile(owner.client, zone.id, uniqueName('counted'), 'x');
    await createFolder(owner.client, zone.id, uniqueName('counted'));
    const after = (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body;
    expect(after.fileCount).toBe(before.fileCount + 1);
    expect(after.folderCount).toBe(before.folderCount + 1);
  });

  it('rejects the whole request when names are taken, listing all of them', async () => {
    const query = `?folderId=${await createFolder(owner.client, zone.id, uniqueName('clash'))}`;
    await uploadFile(owner.client, zone.id, 'RAPOR.pdf', 'x', query);
    await uploadFile(owner.client, zone.id, 'ısı.pdf', 'x', query);
    const parts = ['new.txt', 'Rapor.PDF', 'ISI.pdf', 'other.txt', 'Other.txt'].map((name) => ({ name, body: name }));
    const { body } = await postFiles(owner.client, zone.id, parts, query).expect(409);
    expect(body).toMatchObject({ code: 'DUPLICATE_NAMES', names: ['Rapor.PDF', 'ISI.pdf', 'Other.txt'] });
    expect(names((await listFiles(query)).body)).toEqual(['ısı.pdf', 'RAPOR.pdf']);
  });

  it('numbers conflicting files when requested', async () => {
    const query = `?onConflict=rename&folderId=${await createFolder(owner.client, zone.id, uniqueName('rename'))}`;
    for (const expected of ['İstanbul.tar.gz', 'istanbul (1).tar.gz', 'ISTANBUL (2).tar.gz']) {
      const given = expected.replace(/ \(\d\)/, '');
      expect((await uploadFile(owner.client, zone.id, given, 'x', query)).originalName).toBe(expected);
    }
  });

  it('accepts one of many parallel uploads of the same name', async () => {
    const query = `?folderId=${await createFolder(owner.client, zone.id, uniqueName('race'))}`;
    const tries = Array.from({ length: 10 }, () =>
      postFiles(owner.client, zone.id, [{ name: 'one.txt', body: 'x' }], query),
    );
    const statuses = (await Promise.all(tries)).map((response) => response.status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    expect((await listFiles(query)).body).toHaveLength(1);
  });

  it('numbers all parallel uploads of the same name when requested', async () => {
    const query = `?onConflict=rename&folderId=${await createFolder(owner.client, zone.id, uniqueName('race'))}`;
    const tries = Array.from({ length: 10 }, () =>
      postFiles(owner.client, zone.id, [{ name: 'one.txt', body: 'x' }], query),
    );
    for (const response of await Promise.all(tries)) expect(response.status).toBe(201);
    const listed = (await listFiles(query.replace('onConflict=rename&', ''))).body;
    expect(names(listed).sort()).toEqual(
      ['one.txt', ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `one (${n}).txt`)].sort(),
    );
  });
});

describe('File names', () => {
  it.each([
    ['😀 emoji 👩‍👩‍👧.txt', '😀 emoji 👩‍👩‍👧.txt'],
    ['ıIiİ şğüöç ŞĞÜÖÇ.txt', 'ıIiİ şğüöç ŞĞÜÖÇ.txt'],
    ['no extension', 'no extension'],
    ['.hidden', '.hidden'],
    ['100% & <b>{x} #1; ?*|.txt', '100% & <b>{x} #1; ?*|.txt'],
    ['de\u0301compose\u0301.txt', 'décomposé.txt'],
    ['  spaces around.txt  ', 'spaces around.txt'],
    ['漢字 ファイル.txt', '漢字 ファイル.txt'],
    [`${'a'.repeat(251)}.txt`, `${'a'.repeat(251)}.txt`],
  ])('stores %s', async (given, expected) => {
    const query = `?folderId=${await createFolder(owner.client, zone.id, uniqueName('names'))}`;
    expect((await uploadFile(owner.client, zone.id, given, 'x', query)).originalName).toBe(expected);
    expect(names((await listFiles(query)).body)).toEqual([expected]);
  });

  it.each([
    ['../../etc/passwd', 'INVALID_NAME'],
    ['a/b.txt', 'INVALID_NAME'],
    ['C:\\\\temp\\\\a.txt', 'INVALID_NAME'],
    ['..', 'INVALID_NAME'],
    ['...', 'INVALID_NAME'],
    ['   ', 'INVALID_NAME'],
    ['', 'INVALID_NAME'],
    ['a\u0001b.txt', 'UPLOAD_MALFORMED'],
    ['a\u0000b.txt', 'UPLOAD_MALFORMED'],
    ['a\u0085b.txt', 'INVALID_NAME'],
    ['evil\u202efdp.exe', 'INVALID_NAME'],
    [`${'a'.repeat(252)}.txt`, 'INVALID_NAME'],
    ['ğ'.repeat(128), 'INVALID_NAME'],
    ['a'.repeat(300), 'INVALID_NAME'],
  ])('rejects %j', async (name, code) => {
    const query = `?folderId=${await createFolder(owner.client, zone.id, uniqueName('bad'))}`;
    const parts = [
      { name: 'good.txt', body: 'x' },
      { name, body: 'x' },
    ];
    const { body } = await postFiles(owner.client, zone.id, parts, query).expect(400);
    expect(body.code).toBe(code);
    expect(body.message).toBeTruthy();
    expect((await listFiles(query)).body).toEqual([]);
  });
});

describe('Files', () => {
  it('are renamed and keep their extension', async () => {
    const query = `?folderId=${await createFolder(owner.client, zone.id, uniqueName('renaming'))}`;
    const { id } = await uploadFile(owner.client, zone.id, 'a.txt', 'x', query);
    await uploadFile(owner.client, zone.id, 'taken.txt', 'x', query);
    const rename = (originalName: unknown) => owner.client.patch(`/api/files/${id}/rename`).send({ originalName });
    expect((await rename('b').expect(200)).body).toMatchObject({ originalName: 'b.txt', name: 'b.txt' });
    expect((await rename('C.TXT').expect(200)).body.originalName).toBe('C.TXT');
    expect((await rename('d.pdf').expect(200)).body.originalName).toBe('d.pdf.TXT');
    expect((await rename('Taken').expect(409)).body).toMatchObject({ code: 'DUPLICATE_NAMES', names: ['Taken.TXT'] });
    expect((await rename('../x').expect(400)).body).toMatchObject({
      code: 'INVALID_NAME',
      errors: { originalName: [expect.any(String)] },
    });
    await rename('  ').expect(400);
    await rename(5).expect(400);
    await rename(undefined).expect(400);
  });

  it('are moved to the trash once', async () => {
    const { id, originalName } = await uploadFile(owner.client, zone.id, uniqueName('trash'), 'x');
    const responses = await Promise.all([1, 2, 3].map(() => owner.client.delete(`/api/files/${id}`)));
    expect(responses.map((response) => response.status).sort()).toEqual([204, 404, 404]);
    await owner.client.get(`/api/files/${id}/download`).expect(404);
    await uploadFile(owner.client, zone.id, originalName, 'again');
  });
});

describe('File and folder lists', () => {
  let query: string;
  const order = ['b9.txt', 'b10.png', 'ç.txt', 'd.txt', 'ı.txt', 'i.png', 'ş.txt', 't.txt'];

  beforeAll(async () => {
    query = `?folderId=${await createFolder(owner.client, zone.id, uniqueName('sorted'))}`;
    for (const [index, name] of ['t.txt', 'ı.txt', 'b10.png', 'ş.txt', 'd.txt', 'b9.txt', 'i.png', 'ç.txt'].entries()) {
      await uploadFile(owner.client, zone.id, name, name.endsWith('png') ? PNG : 'x'.repeat(index + 1), query);
    }
  });

  it('sort by name in Turkish order with numbers by value', async () => {
    expect(names((await listFiles(query)).body)).toEqual(order);
    expect(names((await listFiles(`${query}&order=desc`)).body)).toEqual(order.toReversed());
  });

  it.each(['name', 'date', 'type', 'size'])('are paginated without gaps or repeats, by %s', async (sort) => {
    for (const direction of ['asc', 'desc']) {
      const whole = names((await listFiles(`${query}&sort=${sort}&order=${direction}`).expect(200)).body);
      expect(whole).toHaveLength(8);
      let next: string | undefined = `/api/zones/${zone.id}/files${query}&sort=${sort}&order=${direction}&limit=3`;
      const paged: string[] = [];
      while (next) {
        const page: { body: { name: string }[]; headers: Record<string, string> } = await owner.client
          .get(next)
          .expect(200);
        expect(page.headers['x-total-count']).toBe('8');
        paged.push(...names(page.body));
        next = /<(.+)>; rel="next"/.exec(page.headers.link ?? '')?.[1];
      }
      expect(paged).toEqual(whole);
    }
  });

  it('are paginated for folders, too', async () => {
    const parent = await createFolder(owner.client, zone.id, uniqueName('paged'));
    for (const name of ['c10', 'ı', 'c9', 'j', 'ç']) await createFolder(owner.client, zone.id, name, parent);
    const first = await listFolders(`?parentId=${parent}&limit=3`).expect(200);
    expect(first.headers['x-total-count']).toBe('5');
    const link = /<(.+)>/.exec(first.headers.link!)![1]!;
    const second = await owner.client.get(link).expect(200);
    expect(names([...first.body, ...second.body])).toEqual(['c9', 'c10', 'ç', 'ı', 'j']);
  });

  it.each([
    'cursor=x',
    'cursor=WzFd',
    'cursor=WyJhIiwiYiJd',
    'limit=0',
    'limit=1001',
    'sort=color',
    'order=up',
    'folderId=abc',
    'folderId=0',
    'folderId=1e300',
    'color=red',
  ])('reject %s', async (wrong) => {
    expect((await listFiles(`?${wrong}`).expect(400)).body.code).toBe('VALIDATION_FAILED');
  });

  it('return 404 for missing folders and those of other zones', async () => {
    expect((await listFiles('?folderId=999999999').expect(404)).body.code).toBe('FOLDER_NOT_FOUND');
    const other = await registerUser(world);
    const elsewhere = await createFolder(other.client, (await createZone(other)).id, 'elsewhere');
    await listFiles(`?folderId=${elsewhere}`).expect(404);
    await listFolders(`?parentId=${elsewhere}`).expect(404);
    await postFiles(owner.client, zone.id, [{ name: 'x', body: 'x' }], `?folderId=${elsewhere}`).expect(404);
  });
});
