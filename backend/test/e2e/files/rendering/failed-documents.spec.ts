import { CompiledQuery } from 'kysely';
import { createPdf } from '../../../../src/cli/seed/demo-files.js';
import { renderFirstPages, extractTexts } from '../../../../src/modules/files/files.jobs.js';
import { HOUR } from '../../../../src/platform/clock/clock.js';
import { query } from '../../../../src/platform/database/query.js';
import { RenderingService } from '../../../../src/platform/rendering/rendering.service.js';
import { storageErrors } from '../../../../src/platform/storage/storage.errors.js';
import { Storage } from '../../../../src/platform/storage/storage.js';
import { selectsOf } from '../../../support/selects-of.js';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { allowUnlimitedZones } from '../../mirrors/mirror-helpers.js';
import { uploadFile } from '../upload/multipart-helpers.js';

let world: World;

describeInProcess('Document state in file lists', () => {
  let owner: Actor;
  let zone: TestZone;

  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    await allowUnlimitedZones(world, owner);
    zone = await createZone(owner);
  });
  afterAll(() => world.close());

  /** By name. */
  const listDocuments = async ({ client }: Actor = owner) => {
    const { body } = await client.get(`/api/zones/${zone.id}/files`).expect(200);
    return Object.fromEntries(
      (body as { name: string; document: unknown }[]).map((file) => [file.name, file.document]),
    );
  };

  it('shows progress or the failure to everyone who can see the file', async () => {
    await uploadFile(owner.client, zone.id, 'Good.pdf', createPdf('Letter', ['Soft light']));
    const torn = await uploadFile(owner.client, zone.id, 'Torn.pdf', '%PDF-1.4 torn');
    await uploadFile(owner.client, zone.id, 'Notes.txt', 'text');
    expect(await listDocuments()).toEqual({ 'Good.pdf': null, 'Torn.pdf': null, 'Notes.txt': null });
    await world.testApp.drain();
    const renderedState = {
      'Good.pdf': { state: 'ready', failure: null },
      'Torn.pdf': { state: 'failed', failure: 'damaged' },
      'Notes.txt': null,
    };
    expect(await listDocuments()).toEqual(renderedState);
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    expect(await listDocuments(member)).toEqual(renderedState);
    const { body } = await owner.client.get(`/api/files/${torn.id}`).expect(200);
    expect(body.document).toEqual(renderedState['Torn.pdf']);

    await owner.client.post(`/api/files/${torn.id}/pages/retry`).expect(204);
    expect(await listDocuments()).toMatchObject({ 'Torn.pdf': { state: 'waiting', failure: null } });
    await world.testApp.drain();
    expect(await listDocuments()).toEqual(renderedState);
  });

  it('is null when the result belongs to other contents', async () => {
    const { id } = await uploadFile(owner.client, zone.id, 'Replaced.pdf', createPdf('Letter', ['Hard light']));
    await world.testApp.drain();
    await world.testApp.em().execute(`update file_documents set content_key = 'files/before' where file_id = ?`, [id]);
    expect((await listDocuments())['Replaced.pdf']).toBeNull();
  });

  it('becomes ready once the storage is available, however long it was unavailable', async () => {
    const { app, clock, em } = world.testApp;
    const { id } = await uploadFile(owner.client, zone.id, 'Patient.pdf', createPdf('Letter', ['Soft light']));
    const atLastTry = ({ name }: { name: string }) =>
      em().execute('update jobs set max_attempts = attempts + 1 where name = ?', [name]);
    const texts = () => em().execute('select texts from file_documents where file_id = ?', [id]);
    const read = jest.spyOn(app.get(Storage), 'read').mockRejectedValue(storageErrors.STORAGE_UNAVAILABLE());
    await atLastTry(renderFirstPages);
    await world.testApp.drain();
    read.mockRestore();
    await world.testApp.drain();
    expect((await listDocuments())['Patient.pdf']).toBeNull();

    const text = jest
      .spyOn(app.get(RenderingService), 'extractText')
      .mockRejectedValue(storageErrors.STORAGE_UNAVAILABLE());
    clock.advance(HOUR);
    await expect(world.testApp.drain()).rejects.toThrow('STORAGE_UNAVAILABLE');
    expect((await listDocuments())['Patient.pdf']).toEqual({ state: 'ready', failure: null });
    await atLastTry(extractTexts);
    clock.advance(HOUR);
    await world.testApp.drain();
    text.mockRestore();
    await world.testApp.drain();
    expect(await texts()).toEqual([{ texts: 'waiting' }]);
    clock.advance(HOUR);
    await world.testApp.drain();
    expect(await texts()).toEqual([{ texts: 'ready' }]);
  });

  it('is read in the list query itself, only for its own rows', async () => {
    const large = await createZone(owner);
    const { id } = await uploadFile(owner.client, large.id, 'first.pdf', createPdf('Letter', ['Soft light']));
    await world.testApp.drain();
    const { em } = world.testApp;
    await em().execute(
      `insert into files (original_name, name_key, mime_type, size, sha256, object_key, storage_type, zone_id, created_at,
        updated_at)
      select 'f' || n, 'f' || n, mime_type, 1, sha256, 'files/00/' || md5(n::text || zone_id), storage_type, zone_id,
        now(), now() from files, generate_series(1, 100000) n where id = ?`,
      [id],
    );
    await em().execute(
      `insert into file_documents (file_id, content_key, state, failure, updated_at)
      select id, object_key, 'failed', 'damaged', now() from files where zone_id = ? and id <> ?`,
      [large.id, id],
    );
    await em().execute('analyze files, file_documents, file_stats, file_thumbnails');
    const { queries, answer: response } = await selectsOf(world, () =>
      owner.client.get(`/api/zones/${large.id}/files?limit=50`).expect(200),
    );
    expect((response.body as { document: unknown }[])[0]!.document).toEqual({ state: 'failed', failure: 'damaged' });
    const ofList = queries.filter(({ sql }) => sql.includes('"files"') && sql.includes('"original_name"'));
    expect(ofList).toHaveLength(1);
    expect(queries.filter(({ sql }) => sql.includes('"file_documents"'))).toEqual(ofList);
    const [{ sql, parameters }] = ofList as [CompiledQuery];
    const plan = await query(em()).executeQuery(CompiledQuery.raw(`explain ${sql}`, [...parameters]));
    const lines = plan.rows.map((row) => Object.values(row as object)[0] as string);
    // One index lookup for each row shown.
    expect(lines.filter((line) => line.includes(' on file_documents '))).toEqual([
      expect.stringMatching(/Index Scan using file_documents_pkey on file_documents/),
    ]);
    expect(lines.filter((line) => /Seq Scan on (?:files|file_documents) /.test(line))).toEqual([]);
  });
});
