import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { baseUrl, describeInProcess, type Client, World } from '../../../support/world.js';
import { createFolder, uploadFile } from '../upload/multipart-helpers.js';
import { FilesZone } from '../files-zone.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';

interface Hit {
  kind: string;
  id: number;
  name: string;
  zoneId: number;
  path: { id: number; name: string }[];
}

let world: World;
let here: FilesZone;

beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  here = await FilesZone.open(world);
});
afterAll(() => world.close());

const find = async (q: string, client: Client = here.owner.client, zoneId: number | null = here.zone.id) => {
  const path = zoneId === null ? '/api/search' : `/api/zones/${zoneId}/search`;
  return (await client.get(path).query({ q }).expect(200)).body as Hit[];
};
const names = async (q: string) => (await find(q)).map(({ name }) => name);

describe('GET /api/zones/:id/search', () => {
  it('finds files and folders at any level, with their path', async () => {
    const outer = await here.createFolder('Raporlar');
    const inner = await here.createFolder('2025', outer);
    const file = await here.uploadFile('Yıllık rapor.txt', inner, 'x');
    const hits = await find('rapor');
    expect(hits).toMatchObject([
      { kind: 'folder', id: outer, name: 'Raporlar', path: [], file: null, folder: { id: outer, fileCount: 0 } },
      {
        kind: 'file',
        id: file.id,
        zoneId: here.zone.id,
        zoneName: here.zone.name,
        path: [
          { id: outer, name: 'Raporlar' },
          { id: inner, name: '2025' },
        ],
        file: { id: file.id, folderId: inner, size: 1, can: { download: true, move: true } },
        folder: null,
      },
    ]);
  });

  it('ignores case and treats I, ı, İ and i as one letter', async () => {
    for (const name of ['ISI.txt', 'Isırgan.txt', 'İSİM.txt', 'Şiir.txt']) await here.uploadFile(name);
    expect(await names('ısı')).toEqual(['ISI.txt', 'Isırgan.txt', 'İSİM.txt']);
    expect(await names('isi')).toEqual(await names('ISI'));
    expect(await names('ŞİİR')).toEqual(['Şiir.txt']);
  });

  it('ignores accents in names and in the query', async () => {
    for (const name of ['Ödev.txt', 'odev iki.txt', 'STRAẞE.txt', 'strasse 2.txt', 'Łódź.txt', 'e\u0301te\u0301.txt']) {
      await here.uploadFile(name);
    }
    expect(await names('odev')).toEqual(['odev iki.txt', 'Ödev.txt']);
    expect(await names('ÖDEV')).toEqual(await names('odev'));
    expect(await names('straße')).toEqual(['strasse 2.txt', 'STRAẞE.txt']);
    expect(await names('lodz')).toEqual(['Łódź.txt']);
    expect(await names('ete')).toEqual(['été.txt']);
  });

  it('requires every word in any order and takes pattern characters literally', async () => {
    for (const name of ['ders notu 1.txt', 'notlar.txt', 'ders.txt', '100%.txt', 'a_b.txt', 'a.md']) {
      await here.uploadFile(name);
    }
    expect(await names('not ders')).toEqual(['ders notu 1.txt']);
    expect(await names('  ders  ')).toEqual(['ders notu 1.txt', 'ders.txt']);
    expect(await names('%')).toEqual(['100%.txt']);
    expect(await names('_')).toEqual(['a_b.txt']);
    expect(await names('0%.t')).toEqual(['100%.txt']);
    expect(await names('\\')).toEqual([]);
    expect(await names("'; drop table files; --")).toEqual([]);
    expect(await names('x'.repeat(255))).toEqual([]);
  });

  it('paginates results by name', async () => {
    const all = ['b1', 'b2', 'b10', 'ç', 'd', 'ı', 'j'].map((name) => `${name} same`);
    for (const name of all.toReversed()) await here.uploadFile(name);
    await here.createFolder('b2 same');
    let next: string | undefined = `/api/zones/${here.zone.id}/search?q=same&limit=3`;
    const found: string[] = [];
    while (next) {
      const page: { body: Hit[]; headers: Record<string, string> } = await here.owner.client.get(next).expect(200);
      expect(page.headers['x-total-count']).toBe('8');
      found.push(...page.body.map(({ kind, name }) => `${kind} ${name}`));
      next = /<(.+)>; rel="next"/.exec(page.headers.link ?? '')?.[1];
    }
    const expected = all.flatMap((name) =>
      name === 'b2 same' ? [`folder ${name}`, `file ${name}`] : [`file ${name}`],
    );
    expect(found).toEqual(expected);
  });

  it('leaves out the trash and follows restores, moves and renames', async () => {
    const folderId = await here.createFolder('place');
    const { id } = await here.uploadFile('needle.txt', folderId);
    const trashId = await here.deleteItem('folders', folderId);
    expect(await find('needle')).toEqual([]);
    await here.post('trash/restore', { trashId }).expect(200);
    expect(await names('needle')).toEqual(['needle.txt']);
    await here.owner.client.patch(`/api/files/${id}/rename`).send({ originalName: 'pin' }).expect(200);
    await here.owner.client.patch(`/api/files/${id}/move`).send({ targetFolderId: null }).expect(200);
    expect(await find('needle')).toEqual([]);
    expect(await find('pin')).toMatchObject([{ id, path: [] }]);
  });

  it.each([
    ['without words', ''],
    ['for spaces only', 'q=%20%20'],
    ['for 256 letters', `q=${'a'.repeat(256)}`],
    ['for two terms', 'q=a&q=b'],
    ['with an invalid cursor', 'q=a&cursor=WyJhIl0'],
    ['with an unknown field', 'q=a&zone=1'],
  ])('rejects a search %s', async (_how, query) => {
    for (const path of [`/api/zones/${here.zone.id}/search`, '/api/search']) {
      expect((await here.owner.client.get(`${path}?${query}`).expect(400)).body.code).toBe('VALIDATION_FAILED');
    }
  });
});

describe('GET /api/search', () => {
  it('finds items in zones of the user only', async () => {
    const [other, outsider] = [await FilesZone.open(world), await registerUser(world)];
    const word = uniqueName('needle');
    await here.uploadFile(`${word} mine`);
    await other.uploadFile(`${word} theirs`);
    expect(await find(word, here.owner.client, null)).toMatchObject([
      { zoneId: here.zone.id, zoneName: here.zone.name },
    ]);
    await joinPublicZone(other.zone, here.owner);
    expect(await find(word, here.owner.client, null)).toMatchObject([
      { name: `${word} mine`, file: { can: { rename: true } } },
      { name: `${word} theirs`, zoneId: other.zone.id, file: { can: { rename: false, download: true } } },
    ]);
    expect(await find(word)).toHaveLength(1);
    expect(await find(word, outsider.client, null)).toEqual([]);
    await outsider.client.get(`/api/zones/${here.zone.id}/search?q=a`).expect(404);
  });
});

describeInProcess('Search through mirrors', () => {
  let target: TestZone;
  let viewer: Actor;
  let source: number;
  let inner: number;
  let mirror: { id: number; targetFolderId: number };
  const execute = (sql: string, params: unknown[]) => world.testApp.em().execute(sql, params);

  beforeEach(async () => {
    await allowUnlimitedZones(world, here.owner);
    [target, viewer] = [await createZone(here.owner), await registerUser(world)];
    await joinPublicZone(target, viewer);
    const above = await here.createFolder('secret above');
    source = await here.createFolder('Source', above);
    inner = await here.createFolder('Inner needle', source);
    await here.uploadFile('needle.txt', inner);
    await here.uploadFile('needle beside.txt', above);
    const body = { sourceFolderId: source, targetZoneId: target.id, targetFolderName: 'Mount needle' };
    mirror = (await here.post('folder-mirrors', body).expect(201)).body;
  });

  it('finds mirrored items as part of the target zone', async () => {
    for (const zoneId of [target.id, null]) {
      const hits = await find('needle', viewer.client, zoneId);
      const mount = { id: mirror.targetFolderId, name: 'Mount needle' };
      expect(hits).toMatchObject([
        { kind: 'folder', id: inner, zoneId: target.id, path: [mount], folder: { parentId: mount.id, readOnly: true } },
        { kind: 'folder', ...mount, path: [], folder: { isMirror: true } },
        {
          kind: 'file',
          name: 'needle.txt',
          zoneId: target.id,
          path: [mount, { id: inner }],
          file: { zoneId: target.id, folderId: inner, readOnly: true, can: { rename: false, move: false } },
        },
      ]);
      await viewer.client.get(`/api/files/${hits[2]!.id}/view`).expect(200);
    }
  });

  it('finds an item once, in its own zone, for a user in both zones', async () => {
    const hits = await find('needle.txt', here.owner.client, null);
    expect(hits).toMatchObject([{ zoneId: here.zone.id, path: [{}, { id: source }, { id: inner }] }]);
    expect(await find('needle.txt', here.owner.client, target.id)).toMatchObject([{ zoneId: target.id }]);
  });

  it('stops at once when the mirror, its source or the membership ends', async () => {
    const countMatches = async () => (await find('needle', viewer.client, null)).length;
    const setMirrorActive = (isActive: boolean) =>
      here.owner.client.patch(`/api/folder-mirrors/${mirror.id}`).send({ isActive }).expect(200);
    expect(await countMatches()).toBe(3);
    await setMirrorActive(false);
    expect(await countMatches()).toBe(0);
    await setMirrorActive(true);
    const trashId = await here.deleteItem('folders', source);
    expect(await countMatches()).toBe(0);
    await here.post('trash/restore', { trashId }).expect(200);
    expect(await countMatches()).toBe(3);
    const expire = `update zone_members set expires_at = now() - interval '1 second' where zone_id = ? and user_id = ?`;
    await execute(expire, [target.id, viewer.id]);
    expect(await countMatches()).toBe(0);
    await execute('update zone_members set expires_at = null where zone_id = ?', [target.id]);
    await execute('update users set deactivated_at = now() where id = ?', [here.owner.id]);
    expect(await countMatches()).toBe(0);
  });
});

describe('GET /api/zones/:id/folders?all=true', () => {
  it('returns a flat list, each folder with its parent', async () => {
    const outer = await here.createFolder('b10');
    const inner = await here.createFolder('b9', outer);
    const { body, headers } = await here.owner.client.get(`/api/zones/${here.zone.id}/folders?all=true`).expect(200);
    expect(body).toMatchObject([
      { id: inner, parentId: outer, can: { upload: true, createFolder: true } },
      { id: outer, parentId: null },
    ]);
    expect(headers['x-total-count']).toBe('2');
  });

  it('is paginated and indicates the depth limit', async () => {
    let parent: number | undefined;
    for (const name of ['1', '2', '3', '4', '5']) parent = await here.createFolder(name, parent);
    const path = `/api/zones/${here.zone.id}/folders?all=true&limit=3`;
    const first = await here.owner.client.get(path).expect(200);
    const second = await here.owner.client.get(/<(.+)>/.exec(first.headers.link!)![1]!).expect(200);
    const all = [...first.body, ...second.body] as { name: string; can: { createFolder: boolean } }[];
    expect(all.map(({ name }) => name)).toEqual(['1', '2', '3', '4', '5']);
    expect(all.map(({ can }) => can.createFolder)).toEqual([true, true, true, true, false]);
    await here.owner.client.get(`/api/zones/${here.zone.id}/folders?all=maybe`).expect(400);
  });

  (baseUrl ? it.skip : it)('include mirrors without storage, but not their contents', async () => {
    await allowUnlimitedZones(world, here.owner);
    const target = await createZone(here.owner);
    const source = await here.createFolder('source');
    await here.createFolder('inside', source);
    await createFolder(here.owner.client, target.id, 'own');
    const mirror = { sourceFolderId: source, targetZoneId: target.id, targetFolderName: 'mount' };
    await here.post('folder-mirrors', mirror).expect(201);
    const { body } = await here.owner.client.get(`/api/zones/${target.id}/folders?all=true`).expect(200);
    expect(body).toMatchObject([
      { name: 'mount', isMirror: true, readOnly: true, can: { upload: false } },
      { name: 'own', isMirror: false },
    ]);
  });
});

describe('Zone size', () => {
  it('includes files in the trash', async () => {
    const bytes = async () => (await here.owner.client.get('/api/zones').expect(200)).body[0].totalBytes;
    expect(await bytes()).toBe(0);
    await uploadFile(here.owner.client, here.zone.id, 'a', Buffer.alloc(1234));
    const { id } = await uploadFile(here.owner.client, here.zone.id, 'b', Buffer.alloc(66));
    expect(await bytes()).toBe(1300);
    await here.deleteItem('files', id);
    expect(await bytes()).toBe(1300);
    await here.post('trash/purge', { all: true }).expect(200);
    expect(await bytes()).toBe(1234);
  });
});
