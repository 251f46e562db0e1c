import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { uploadFile } from '../upload/multipart-helpers.js';

let world: World;
let owner: Actor;
let member: Actor;
let zone: TestZone;

const sample = (name: string) => readFileSync(new URL(`../../../support/samples/hidden/${name}`, import.meta.url));
const bytesOf = (response: unknown, done: (error: Error | null, body: Buffer) => void) =>
  void buffer(response as Readable).then(
    (body) => done(null, body),
    (error: Error) => done(error, Buffer.alloc(0)),
  );
const getPages = (id: number, rest = '', actor = member) => actor.client.get(`/api/files/${id}/pages${rest}`);
const download = (id: number, number: number | string = 1, actor = member) =>
  getPages(id, `/attachments/${number}`, actor).buffer(true).parse(bytesOf);
async function storeDocument(name: string, settings?: object) {
  const { id } = await uploadFile(owner.client, zone.id, `${uniqueName('a')}-${name}`, sample(name));
  if (settings) await owner.client.patch(`/api/files/${id}`).send(settings).expect(200);
  await world.testApp.drain();
  return id;
}

describeInProcess('Attachments of a PDF', () => {
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    member = await registerUser(world);
    zone = await createZone(owner);
    await joinPublicZone(zone, member);
  });
  afterAll(() => world.close());

  it('are listed and downloaded as attachments that browsers do not display', async () => {
    const id = await storeDocument('portfolio.pdf');
    const url = `/api/files/${id}/pages/attachments/1`;
    expect((await getPages(id).expect(200)).body.attachments).toEqual([{ name: 'a.txt', url }]);
    const { body, headers } = await download(id).expect(200);
    expect((body as Buffer).toString()).toBe('hello');
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="a.txt"; filename*=UTF-8''a.txt`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
    const counts = (await owner.client.get(`/api/files/${id}`).expect(200)).body;
    expect(counts.downloadCount).toBe(1);
  });

  it('are hidden from members who may not download the file', async () => {
    const id = await storeDocument('portfolio.pdf', { allowDownload: false });
    expect((await getPages(id).expect(200)).body.attachments).toEqual([]);
    expect((await getPages(id, '/attachments/1').expect(403)).body.code).toBe('DOWNLOAD_NOT_ALLOWED');
    expect(((await download(id, 1, owner).expect(200)).body as Buffer).toString()).toBe('hello');
  });

  it('return 404 for non-members and unknown numbers', async () => {
    const id = await storeDocument('portfolio.pdf');
    const outsider = await registerUser(world);
    expect((await getPages(id, '/attachments/1', outsider).expect(404)).body.code).toBe('FILE_NOT_FOUND');
    for (const number of [2, 0, 'a', 99999])
      expect((await getPages(id, `/attachments/${number}`).expect(404)).body.code).toBe('ATTACHMENT_NOT_FOUND');
  });

  it('are reported, like hidden layers, only to those who manage the file', async () => {
    const id = await storeDocument('layer.pdf');
    const hiddenContent = { sheets: 0, deletions: false, layers: true };
    expect((await getPages(id, '', owner).expect(200)).body.hidden).toEqual(hiddenContent);
    expect((await getPages(id).expect(200)).body.hidden).toBeNull();
    expect((await getPages(id, '/search?q=VISIBLE').expect(200)).body).toHaveLength(1);
    expect((await getPages(id, '/search?q=HIDDENLAYER').expect(200)).body).toEqual([]);
    expect(JSON.stringify((await getPages(id, '/1/text').expect(200)).body)).not.toContain('HIDDEN');
  });

  it('are replaced by an error for a dynamic form, as are its pages', async () => {
    const id = await storeDocument('xfa.pdf');
    expect((await getPages(id).expect(200)).body).toMatchObject({ state: 'failed', failure: 'dynamic-form' });
    expect((await getPages(id, '/1').expect(422)).body).toMatchObject({
      code: 'DOCUMENT_FAILED',
      message: 'This is a dynamic form (XFA). Only Adobe Acrobat and Adobe Reader can display it.',
    });
  });

  it('are searched, like documents, by two Chinese characters or three other letters', async () => {
    const id = await storeDocument('layer.pdf');
    for (const q of ['简体', '日', 'ab', 'あa'])
      await getPages(id, `/search?q=${encodeURIComponent(q)}`).expect(q === '日' || q === 'ab' ? 400 : 200);
  });
});
