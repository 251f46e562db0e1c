import { describeInProcess, World } from '../../../support/world.js';
import { FilesZone } from '../files-zone.js';
import { createUpload, sendChunk } from '../upload/files-tus.js';
import { postFiles } from '../upload/multipart-helpers.js';
import { exactly, listVersions, readBytes } from './version-helpers.js';

let world: World;
let here: FilesZone;

beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  here = await FilesZone.open(world);
});
afterAll(() => world.close());

const upload = async (...files: { name: string; body: string }[]) => {
  const { body } = await postFiles(here.owner.client, here.zone.id, files, '?onConflict=replace').expect(201);
  return (body as { id: number; name: string; version: number }[]).map(({ id, name, version }) => ({
    id,
    name,
    version,
  }));
};

describeInProcess('Uploading files whose names are taken with onConflict=replace', () => {
  it('replaces the files that have the names and creates the others', async () => {
    const kept = await here.uploadFile('Plan.txt', undefined, 'first');
    const folder = await here.createFolder('Papers');
    await here.uploadFile('plan.txt', folder, 'elsewhere');
    const files = await upload({ name: 'new.txt', body: 'new' }, { name: 'PLAN.txt', body: 'second!' });
    expect(files).toEqual([
      { id: expect.any(Number), name: 'new.txt', version: 1 },
      { id: kept.id, name: 'Plan.txt', version: 2 },
    ]);
    expect(await here.listNames('files')).toEqual(['new.txt', 'Plan.txt']);
    expect(await readBytes(world, here)).toEqual(exactly(5 + 9 + 3 + 7));
  });

  it('changes nothing for content that the file has already', async () => {
    const { id } = await here.uploadFile('a.txt', undefined, 'same');
    expect(await upload({ name: 'a.txt', body: 'same' })).toEqual([{ id, name: 'a.txt', version: 1 }]);
    expect(await listVersions(here.owner.client, id)).toHaveLength(1);
    expect(await readBytes(world, here)).toEqual(exactly(4));
  });

  it('keeps both of two files of one name', async () => {
    const { id } = await here.uploadFile('a.txt', undefined, 'old');
    const files = await upload({ name: 'a.txt', body: 'one' }, { name: 'A.txt', body: 'two' });
    expect(files).toMatchObject([
      { id, version: 2 },
      { name: 'A (1).txt', version: 1 },
    ]);
  });

  it('works for resumable uploads', async () => {
    const { id } = await here.uploadFile('a.txt', undefined, 'old');
    const address = await createUpload(here.owner.client, here.zone, 'a.txt', 3, { onConflict: 'replace' });
    const { headers } = await sendChunk(here.owner.client, address, 0, 'new').expect(204);
    expect(headers['x-file-id']).toBe(String(id));
    expect(await listVersions(here.owner.client, id)).toMatchObject([{ number: 2 }, { number: 1 }]);
    expect(await readBytes(world, here)).toEqual(exactly(6));
  });

  it('counts exactly when 12 requests replace the same files in different order', async () => {
    const names = ['a.txt', 'b.txt', 'c.txt'];
    const first = await upload(...names.map((name) => ({ name, body: 'start' })));
    const requests = Array.from({ length: 12 }, (_, index) => {
      const order = index % 2 === 0 ? names : names.toReversed();
      return upload(...order.map((name) => ({ name, body: `number ${String(index).padStart(2, '0')}` })));
    });
    await Promise.all(requests);
    for (const { id } of first) {
      const numbers = (await listVersions(here.owner.client, id)).map(({ number }) => number);
      expect(numbers).toEqual(Array.from({ length: 13 }, (_, index) => 13 - index));
    }
    expect(await readBytes(world, here)).toEqual(exactly(3 * (5 + 12 * 9)));
  });
});
