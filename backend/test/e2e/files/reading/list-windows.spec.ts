import * as fc from 'fast-check';
import { CompiledQuery, sql } from 'kysely';
import { isVisibleFileSql, isVisibleInFolderSql } from '../../../../src/modules/zones/access/visible-files.sql.js';
import { query } from '../../../../src/platform/database/query.js';
import {
  createZone,
  joinPublicZone,
  registerUsers,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { selectsOf } from '../../../support/selects-of.js';
import { describeInProcess, World } from '../../../support/world.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { createFolder, postFiles, uploadFile } from '../upload/multipart-helpers.js';

const SORTS = ['name', 'date', 'type', 'size'] as const;
const ORDERS = ['asc', 'desc'] as const;

interface Item {
  readonly id: number;
  readonly name: string;
}

describeInProcess('Windows of file and folder lists', () => {
  let world: World;
  let zone: TestZone;
  let folder: number;
  let [owner, sender, peer]: Actor[] = [];

  beforeAll(async () => {
    world = await World.open();
    [owner, sender, peer] = await registerUsers(world, 3);
    await allowUnlimitedZones(world, owner!);
    zone = await createZone(owner!);
    for (const actor of [sender!, peer!]) await joinPublicZone(zone, actor);
    folder = await createFolder(owner!.client, zone.id, 'Windows');
    await insertFiles(folder, 40);
    const terms = { isPrivate: true };
    await owner!.client.put(`/api/folders/${folder}/file-request`).send(terms).expect(200);
    const sent = ['Çalışma 3.txt', 'f7.pdf', 'zz.txt'].map((name) => ({ name, body: name }));
    await postFiles(sender!.client, zone.id, sent, `?folderId=${folder}`).expect(201);
    const trashed = await uploadFile(owner!.client, zone.id, 'a trashed.txt', 'x', `?folderId=${folder}`);
    await owner!.client.delete(`/api/files/${trashed.id}`).expect(204);
  });
  afterAll(() => world.close());

  /** Few different values of each sort key, so that pages begin between equal ones. */
  async function insertFiles(folderId: number, count: number): Promise<void> {
    await world.testApp.em().execute(
      `insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, folder_id,
         created_at, updated_at)
       select 'f' || n || '.txt', 'f' || n || '.txt', 'text/' || n % 3, n % 4, repeat('0', 64),
         'files/00/' || md5(n || '-' || ?::bigint), 'local', ?, ?,
         timestamptz '2026-01-01' + (n % 5) * interval '1 minute', now() from generate_series(1, ?) n`,
      [folderId, zone.id, folderId, count],
    );
  }

  async function readAllPages({ client }: Actor, url: string): Promise<Item[]> {
    const items: Item[] = [];
    for (let next: string | undefined = url; next;) {
      const response: Awaited<ReturnType<typeof client.get>> = await client.get(next).expect(200);
      items.push(...(response.body as Item[]));
      next = /<([^>]+)>; rel="next"/.exec(response.headers.link ?? '')?.[1];
    }
    return items;
  }

  it('equal the pages of the cursor in every order, and a position leads to its item', async () => {
    const lists = new Map<string, Item[]>();
    const listOf = async (actor: Actor, url: string) => {
      const key = `${actor.id} ${url}`;
      const items = lists.get(key) ?? (await readAllPages(actor, `${url}&limit=9`));
      lists.set(key, items);
      return items;
    };
    const viewers = { owner: owner!, sender: sender!, peer: peer! };
    const property = fc.asyncProperty(
      fc.constantFrom('owner' as const, 'sender' as const, 'peer' as const),
      fc.constantFrom(...SORTS),
      fc.constantFrom(...ORDERS),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 1, max: 30 }),
      async (viewer, sort, order, offset, limit) => {
        const actor = viewers[viewer];
        const query = `folderId=${folder}&sort=${sort}&order=${order}`;
        const all = await listOf(actor, `/api/zones/${zone.id}/files?${query}`);
        expect(all).toHaveLength(viewer === 'peer' ? 40 : 43);
        const { body, headers } = await actor.client
          .get(`/api/zones/${zone.id}/files?${query}&offset=${offset}&limit=${limit}`)
          .expect(200);
        expect(body).toEqual(all.slice(offset, offset + limit));
        expect(headers['x-total-count']).toBe(String(all.length));
        const next = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1];
        const rest = next ? (await actor.client.get(next).expect(200)).body : [];
        expect(rest).toEqual(all.slice(offset + limit, offset + 2 * limit));
        const item = all[offset];
        if (!item) return;
        const position = await actor.client.get(`/api/zones/${zone.id}/files/position?${query}&fileId=${item.id}`);
        expect(position.body).toEqual({ index: offset });
      },
    );
    await fc.assert(property, { seed: 582, numRuns: 60 });
  });

  it('of folders leave out the trash and paused mirrors, also in the total', async () => {
    const target = await createZone(owner!);
    await joinPublicZone(target, peer!);
    const names = ['Ders 1', 'Ders 2', 'Ders 10', 'Işık', 'İzmir', 'Zeytin'];
    const ids: number[] = [];
    for (const name of names) ids.push(await createFolder(owner!.client, target.id, name));
    const trashed = await createFolder(owner!.client, target.id, 'Gone');
    await owner!.client.delete(`/api/folders/${trashed}`).expect(204);
    const { body: mirror } = await owner!.client
      .post(`/api/zones/${zone.id}/folder-mirrors`)
      .send({ sourceFolderId: folder, targetZoneId: target.id, targetFolderName: 'Mirror', mirrorType: 'one_way' })
      .expect(201);
    await owner!.client.patch(`/api/folder-mirrors/${mirror.id}`).send({ isActive: false }).expect(200);

    const url = `/api/zones/${target.id}/folders`;
    for (const order of ORDERS) {
      const expected = order === 'asc' ? names : names.toReversed();
      for (let offset = 0; offset <= names.length; offset++) {
        const { body, headers } = await owner!.client.get(`${url}?order=${order}&offset=${offset}&limit=2`).expect(200);
        expect((body as Item[]).map(({ name }) => name)).toEqual(expected.slice(offset, offset + 2));
        expect(headers['x-total-count']).toBe('6');
      }
      const fifth = ids[names.indexOf(expected[4]!)];
      const { body } = await peer!.client.get(`${url}/position?order=${order}&folderId=${fifth}`).expect(200);
      expect(body).toEqual({ index: 4 });
    }
    await createFolder(owner!.client, target.id, 'Below', ids[0]);
    const all = await readAllPages(owner!, `${url}?all=true&limit=2`);
    expect(all).toHaveLength(7);
    const { body } = await owner!.client.get(`${url}?all=true&offset=3&limit=3`).expect(200);
    expect(body).toEqual(all.slice(3, 6));
    for (const gone of [trashed, mirror.targetFolderId])
      expect((await owner!.client.get(`${url}/position?folderId=${gone}`).expect(404)).body.code).toBe(
        'FOLDER_NOT_FOUND',
      );
  });

  it('hide where a file is that the viewer may not see, or that is elsewhere', async () => {
    const all = await readAllPages(owner!, `/api/zones/${zone.id}/files?folderId=${folder}`);
    const secret = all.find(({ name }) => name.startsWith('zz'))!;
    const url = `/api/zones/${zone.id}/files/position`;
    await sender!.client.get(`${url}?folderId=${folder}&fileId=${secret.id}`).expect(200);
    for (const [actor, place] of [
      [peer!, `&folderId=${folder}`],
      [owner!, ''],
    ] as const) {
      const { body } = await actor.client.get(`${url}?fileId=${secret.id}${place}`).expect(404);
      expect(body.code).toBe('FILE_NOT_FOUND');
    }
  });

  it('reject a cursor beside the offset, and values that are no positions', async () => {
    const url = `/api/zones/${zone.id}/files?folderId=${folder}`;
    const { headers } = await owner!.client.get(`${url}&limit=2`).expect(200);
    const cursor = /cursor=([^&>]+)/.exec(headers.link ?? '')![1]!;
    for (const wrong of [`cursor=${cursor}&offset=2`, 'offset=-1', 'offset=1.5', 'offset=x', 'offset=10000001'])
      expect((await owner!.client.get(`${url}&${wrong}`).expect(400)).body.errors).toHaveProperty('offset');
    await owner!.client.get(`/api/zones/${zone.id}/files/position?folderId=${folder}`).expect(400);
    await owner!.client.get(`/api/zones/${zone.id}/folders/position`).expect(400);
  });

  it('are read from the nearer end of the index', async () => {
    const deep = await createFolder(owner!.client, zone.id, 'Deep');
    await insertFiles(deep, 20_000);
    const { em } = world.testApp;
    await em().execute('analyze files, file_stats, file_thumbnails, file_documents, file_submissions');
    for (const sort of SORTS)
      // The planner expects a hundred files in the folder, fewer than are skipped.
      for (const [offset, readCount] of [
        [19_500, 500],
        [10_000, 10_000],
      ]) {
        const { queries } = await selectsOf(world, () =>
          peer!.client
            .get(`/api/zones/${zone.id}/files?folderId=${deep}&sort=${sort}&offset=${offset}&limit=100`)
            .expect(200),
        );
        const list = queries.find((select) => select.sql.includes('offset'));
        const plan = await query(em()).executeQuery(
          CompiledQuery.raw(`explain (analyze, timing off) ${list!.sql}`, [...list!.parameters]),
        );
        const lines = plan.rows.map((row) => Object.values(row as object)[0] as string);
        expect(lines.filter((line) => line.includes('Anti Join'))).toEqual([]);
        if (sort !== 'name') continue;
        const scan = lines.find((line) => line.includes(' on files '));
        expect(scan).toMatch('Index Scan Backward using files_zone_id_folder_id_name_index');
        expect(scan).toContain(`rows=${readCount}.00 `);
      }
  });

  it('have the files that are visible wherever they are', async () => {
    const { em } = world.testApp;
    const [restored] = (await em().execute(
      `update file_submissions set folder_id = null, root_zone_id = ? where file_id = (
         select max(id) from files where folder_id = ? and original_name like 'Çalışma%') returning file_id`,
      [zone.id, folder],
    )) as { file_id: number }[];
    await em().execute('update files set folder_id = null where id = ?', [restored!.file_id]);
    for (const viewer of [owner!.id, sender!.id, peer!.id, null, { guestKey: crypto.randomUUID() }])
      for (const folderId of [folder, null]) {
        const { rows } = await sql<{ everywhere: boolean; here: boolean }>`
          select ${isVisibleFileSql('f', viewer)} as everywhere,
            ${isVisibleInFolderSql('f', { zoneId: zone.id, folderId }, viewer)} as here
          from files f where f.zone_id = ${zone.id} and coalesce(f.folder_id, 0) = ${folderId ?? 0}`.execute(
          query(em()),
        );
        expect(rows.length).toBeGreaterThan(folderId === null ? 0 : 40);
        expect(rows.filter(({ everywhere, here }) => everywhere !== here)).toEqual([]);
        const isKnown = viewer === owner!.id || viewer === sender!.id;
        expect(rows.some(({ here }) => !here)).toBe(!isKnown);
      }
  });
});
