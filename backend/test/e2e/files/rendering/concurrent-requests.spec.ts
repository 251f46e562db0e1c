import { RenderingService } from '../../../../src/platform/rendering/rendering.service.js';
import { RateLimitService } from '../../../../src/platform/http/limits/rate-limit.service.js';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../../support/people/actors.js';
import { describeInProcess, World } from '../../../support/world.js';
import { uploadFile } from '../upload/multipart-helpers.js';
import { createNumberedPages } from './generated/text-pdf.js';

let world: World;
let owner: Actor;
let member: Actor;
let zone: TestZone;

/** Holds the first request that found nothing and is about to render; later ones go on. */
function holdFirst() {
  const limits = world.testApp.app.get(RateLimitService);
  const original = limits.consume.bind(limits);
  const pending = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let isFirst = true;
  jest.spyOn(limits, 'consume').mockImplementation(async (rule, ...rest) => {
    if (isFirst && rule.name.startsWith('new-')) {
      isFirst = false;
      pending.resolve();
      await gate.promise;
    }
    return original(rule, ...rest);
  });
  return { held: pending.promise, letGo: gate.resolve };
}

describeInProcess('Request that checked before another request finished the same work', () => {
  beforeAll(async () => {
    world = await World.open();
    owner = await registerUser(world);
    zone = await createZone(owner);
    member = await registerUser(world);
    await joinPublicZone(zone, member);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world?.close());

  it.each([
    ['renderPage', 'pages/4', 'delete from file_pages where file_id = ? and page = 4'],
    ['extractText', 'pages/4/text', 'delete from file_page_texts where file_id = ? and page = 4'],
  ] as const)('does not repeat the work: %s', async (work, path, deleteSql) => {
    const { id } = await uploadFile(owner.client, zone.id, `${work}.pdf`, createNumberedPages(4, 'Light'));
    await world.testApp.drain();
    await world.testApp.em().execute(deleteSql, [id]);
    const renderingSpy = jest.spyOn(world.testApp.app.get(RenderingService), work);
    const { held: pending, letGo: release } = holdFirst();
    const late = owner.client.get(`/api/files/${id}/${path}`).then(({ status, body }) => ({ status, body }) as object);
    await pending;
    // Another user, because requests of one user are queued.
    const { status, body } = await member.client.get(`/api/files/${id}/${path}`).expect(200);
    release();
    expect(await late).toEqual({ status, body });
    expect(renderingSpy).toHaveBeenCalledTimes(1);
  });
});
