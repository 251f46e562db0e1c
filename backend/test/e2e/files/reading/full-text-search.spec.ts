import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { createFolder, uploadFile } from '../upload/multipart-helpers.js';
import { textLines, createTextPdf } from '../rendering/generated/text-pdf.js';

interface Hits {
  hits: { id: number; zoneId: number; name: string; page: number; pages: number; around: string; path: object[] }[];
  isWhole: boolean;
  isReading: boolean;
}

describeInProcess('Text search across documents', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  const execute = (sql: string, params: unknown[] = []) => world.testApp.em().execute(sql, params);
  const upload = async (...pages: string[]) => {
    const bytes = createTextPdf({ pages: pages.map((text) => textLines(text)) });
    const file = await uploadFile(owner.client, zone.id, uniqueName('document.pdf'), bytes);
    await world.testApp.drain();
    return file.id as number;
  };
  const search = async ({ client }: Actor, q: string, at = '/api/search/texts') =>
    (await client.get(`${at}?q=${encodeURIComponent(q)}`).expect(200)).body as Hits;
  const findIds = async (actor: Actor, q: string) => (await search(actor, q)).hits.map(({ id }) => id);

  it('returns a document with its first matching page, the match count and context', async () => {
    const id = await upload('Light', 'Soft light of a softbox', 'The softbox again');
    const expected = { id, zoneId: zone.id, page: 2, pages: 2, around: 'Soft light of a softbox', path: [] };
    for (const at of ['/api/search/texts', `/api/zones/${zone.id}/search/texts`]) {
      expect(await search(owner, 'SOFTBOX', at)).toMatchObject({ hits: [expected], isWhole: true });
    }
    expect(await search(owner, 'nowhere to be found')).toEqual({ hits: [], isWhole: true, isReading: false });
    const { body: short } = await owner.client.get('/api/search/texts?q=so').expect(400);
    expect(short.errors).toEqual({ q: ['Enter at least 3 letters (2 in Chinese, Japanese or Korean).'] });
    await owner.client.get(`/api/search/texts?q=${encodeURIComponent('光源')}`).expect(200);
    for (const limit of ['0', '51', 'x']) {
      const { body } = await owner.client.get(`/api/search/texts?q=softbox&limit=${limit}`).expect(400);
      expect(body.errors.limit).toContain('The limit must be a whole number from 1 to 50.');
    }
    await world.createClient().get('/api/search/texts?q=softbox').expect(401);
  });

  it('finds only what the viewer may read now', async () => {
    const id = await upload('A hidden softbox');
    const member = await registerUser(world);
    expect(await findIds(member, 'hidden softbox')).toEqual([]);
    await member.client.get(`/api/zones/${zone.id}/search/texts?q=softbox`).expect(404);
    await joinPublicZone(zone, member);
    expect(await findIds(member, 'hidden softbox')).toEqual([id]);
    await execute('update files set allow_download = false, allow_text = false where id = ?', [id]);
    expect(await findIds(member, 'hidden softbox')).toEqual([]);
    expect(await findIds(owner, 'hidden softbox')).toEqual([id]);
    await execute('update files set allow_text = true where id = ?', [id]);
    expect(await findIds(member, 'hidden softbox')).toEqual([id]);
    await execute(`update zone_members set expires_at = now() - interval '1 day' where user_id = ?`, [member.id]);
    expect(await findIds(member, 'hidden softbox')).toEqual([]);
    await owner.client
      .post(`/api/zones/${zone.id}/delete`)
      .send({ fileIds: [id], folderIds: [] })
      .expect(200);
    expect(await findIds(owner, 'hidden softbox')).toEqual([]);
  });

  it('finds mirrored documents in the zone of the mirror', async () => {
    await allowUnlimitedZones(world, owner);
    const target = await createZone(owner);
    const sourceFolderId = await createFolder(owner.client, zone.id, 'Lessons');
    const id = await upload('A mirrored softbox');
    await execute('update files set folder_id = ? where id = ?', [sourceFolderId, id]);
    const mirror = { sourceFolderId, targetZoneId: target.id, targetFolderName: 'Mirrored lessons' };
    await owner.client.post(`/api/zones/${zone.id}/folder-mirrors`).send(mirror).expect(201);
    const member = await registerUser(world);
    await joinPublicZone(target, member);
    const { hits } = await search(member, 'mirrored softbox');
    expect(hits).toMatchObject([{ id, zoneId: target.id, path: [{ name: 'Mirrored lessons' }] }]);
    expect((await search(owner, 'mirrored softbox')).hits).toMatchObject([{ id, zoneId: zone.id }]);
    await execute('update files set allow_download = false, allow_text = false where id = ?', [id]);
    expect(await findIds(member, 'mirrored softbox')).toEqual([]);
  });

  it('reports an incomplete search when there are too many pages', async () => {
    const old = await upload('The first softbox');
    const id = await upload('The last softbox');
    await execute(`update files set updated_at = updated_at - interval '1 day' where id = ?`, [old]);
    await execute('update file_documents set page_count = 20000 where file_id = ?', [old]);
    expect(await search(owner, 'softbox')).toMatchObject({ hits: [{ id }], isWhole: false });
    expect(await search(owner, 'first softbox')).toEqual({ hits: [], isWhole: false, isReading: false });
  });

  it('skips pages of pictures', async () => {
    const picture = await upload('A picture');
    const id = await upload('A softbox below it');
    await execute(`update files set mime_type = 'image/tiff' where id = ?`, [picture]);
    await execute('update file_documents set page_count = 20000 where file_id = ?', [picture]);
    await execute(`update files set updated_at = updated_at - interval '1 day' where id = ?`, [id]);
    expect(await search(owner, 'softbox below')).toMatchObject({ hits: [{ id }], isWhole: true });
  });

  it.each([
    ['are not extracted yet', `update file_documents set texts = 'waiting' where file_id = ?`],
    ['belong to previous contents', `update file_documents set content_key = '' where file_id = ?`],
    ['were never requested', 'delete from file_documents where file_id = ?'],
  ])('reports that documents are being read while texts %s', async (_why, statement) => {
    const id = await upload('A softbox');
    await execute(statement, [id]);
    expect(await search(owner, 'nowhere to be found')).toEqual({ hits: [], isWhole: true, isReading: true });
  });

  it('does not wait for a document that cannot be read', async () => {
    await uploadFile(owner.client, zone.id, uniqueName('broken.pdf'), Buffer.from('%PDF-1.7 of nothing'));
    await world.testApp.drain();
    expect((await search(owner, 'nowhere to be found')).isReading).toBe(false);
  });
});
