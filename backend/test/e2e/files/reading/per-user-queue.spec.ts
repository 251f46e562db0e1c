import { RenderError } from '../../../../src/platform/rendering/rendering.errors.js';
import { RenderingService } from '../../../../src/platform/rendering/rendering.service.js';
import {
  createZone,
  joinPublicZone,
  registerUser,
  uniqueName,
  type Actor,
  type TestZone,
} from '../../../support/people/actors.js';
import { createTestApp, type TestApp } from '../../../support/test-app.js';
import { waitUntil } from '../../../support/wait-until.js';
import { describeInProcess, World, type Client } from '../../../support/world.js';
import { uploadFile } from '../upload/multipart-helpers.js';
import { createEncryptedPdf, pdfWithPages } from '../rendering/generated/pdf-samples.js';

let world: World;
/** Another process of the same product, with limits. */
let limited: TestApp;
let owner: Actor;
let member: Actor;
let zone: TestZone;

const storeDocument = async (bytes: Buffer) => {
  const { id } = await uploadFile(owner.client, zone.id, uniqueName('document.pdf'), bytes);
  await world.testApp.drain();
  return id;
};
const withLimits = async ({ email, password }: Actor) => {
  const client = World.prototype.createClient.call({ url: limited.url } as World);
  await client.post('/api/login').send({ email, password }).expect(200);
  return client;
};
const getPage = (id: number, number: number, client: Client) => client.get(`/api/files/${id}/pages/${number}`);
const getText = (id: number, number: number, client: Client) => client.get(`/api/files/${id}/pages/${number}/text`);
const tooSlow = () => Promise.reject(new RenderError('too-slow'));

describeInProcess('Rendering queue per user', () => {
  beforeAll(async () => {
    world = await World.open();
    limited = await createTestApp({ RATE_LIMIT: 'on' }, [], world.testApp.connection);
    owner = await registerUser(world);
    zone = await createZone(owner);
    member = await registerUser(world);
    await joinPublicZone(zone, member);
  });
  afterAll(async () => {
    await limited.close();
    await world.close();
  });
  beforeEach(() => limited.clock.advance(120_000));
  afterEach(() => jest.restoreAllMocks());

  it("limits a user's concurrent requests and leaves capacity for others", async () => {
    const id = await storeDocument(pdfWithPages(60));
    const rendering = world.testApp.app.get(RenderingService);
    const original = rendering.renderPage.bind(rendering);
    const gate = Promise.withResolvers<void>();
    const started: number[] = [];
    jest.spyOn(rendering, 'renderPage').mockImplementation(async (source, number, widths) => {
      started.push(number);
      if (number < 50) await gate.promise;
      return original(source, number, widths);
    });
    let rejectedCount = 0;
    const renderPage = async (number: number) => {
      const { status, body } = await getPage(id, number, member.client);
      if (status !== 200) rejectedCount++;
      return status === 200 ? 'rendered' : (body as { code: string }).code;
    };
    const many = Promise.all(Array.from({ length: 40 }, (_, index) => renderPage(index + 4)));
    try {
      await waitUntil(
        'all requests are queued or rejected and the first is being rendered',
        () => rejectedCount === 8 && started.length > 0,
      );
      // Without per-user queues, a whole class would be rejected while one user renders forty slow pages.
      await getPage(id, 50, owner.client).expect(200);
      expect(started).toHaveLength(2);
    } finally {
      gate.resolve();
      await many;
    }
    const outcomes = await many;
    expect(outcomes.filter((outcome) => outcome === 'rendered')).toHaveLength(32);
    expect(outcomes.filter((outcome) => outcome === 'DRAWING_BUSY')).toHaveLength(8);
  });

  it('counts a timed-out page as many requests', async () => {
    const id = await storeDocument(pdfWithPages(10));
    const client = await withLimits(member);
    const renderPage = jest.spyOn(limited.app.get(RenderingService), 'renderPage').mockImplementation(tooSlow);
    const responses = await Promise.all([4, 5, 6, 7, 8].map((number) => getPage(id, number, client)));
    expect(responses.map(({ status }) => status).sort()).toEqual([422, 422, 422, 429, 429]);
    expect(renderPage).toHaveBeenCalledTimes(3);
  });

  it('counts unreadable text as many requests', async () => {
    const id = await storeDocument(pdfWithPages(10));
    await world.testApp.em().execute('delete from file_page_texts where file_id = ?', [id]);
    const client = await withLimits(member);
    const read = jest.spyOn(limited.app.get(RenderingService), 'extractText').mockImplementation(tooSlow);
    for (const number of [4, 5, 6]) await getText(id, number, client).expect(200);
    await getText(id, 7, client).expect(429);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('counts a locked document even if only its page list is requested', async () => {
    const id = await storeDocument(createEncryptedPdf('pass'));
    const client = await withLimits(member);
    await client.post(`/api/files/${id}/pages/unlock`).send({ password: 'pass' }).expect(204);
    const open = jest.spyOn(limited.app.get(RenderingService), 'openDocument').mockImplementation(tooSlow);
    const getPages = () => client.get(`/api/files/${id}/pages`);
    for (let times = 0; times < 5; times++)
      expect((await getPages().expect(200)).body).toMatchObject({ state: 'failed', failure: 'too-slow' });
    expect((await getPages().expect(429)).body.code).toBe('TOO_MANY_REQUESTS');
    expect(open).toHaveBeenCalledTimes(5);
  });
});
