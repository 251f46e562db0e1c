import { randomBytes } from 'node:crypto';
import { Readiness } from '../../../../src/platform/health/readiness.js';
import { createZone, registerUser } from '../../../support/people/actors.js';
import { createTestApp } from '../../../support/test-app.js';
import { describeInProcess, World } from '../../../support/world.js';
import { pollUntil } from './multipart-helpers.js';
import { createUpload, cookieHeaderOf, readOffset, openPatch, sendChunk } from './files-tus.js';

const MB = 2 ** 20;

describeInProcess('Resumable upload to a process that shuts down', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  it('gets 503 with Retry-After, keeps the received bytes and resumes at another process', async () => {
    const owner = await registerUser(world);
    const zone = await createZone(owner);
    const { connection, config } = world.testApp;
    const stopping = await createTestApp({ DATA_DIR: config.dataDir }, [], connection);
    try {
      const bytes = randomBytes(12 * MB);
      const address = await createUpload(owner.client, zone, 'moves on', bytes.length);
      const call = openPatch(stopping.url, cookieHeaderOf(owner, world.url), address, 0, bytes.length);
      await call.write(bytes.subarray(0, 9 * MB));
      const receivedSql = 'select 1 from resumable_uploads where received > 0';
      await pollUntil(async () => (await world.testApp.em().execute<object[]>(receivedSql)).length > 0);
      // The client sends nothing more: the process must not wait for it.
      stopping.app.get(Readiness).drain();
      const { status, headers, code } = await call.answer();
      expect({ status, code, after: headers['retry-after'] }).toEqual({
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
        after: '2',
      });
      call.abort();
      const offset = await readOffset(owner.client, address);
      expect(offset).toBeGreaterThanOrEqual(8 * MB);
      await sendChunk(owner.client, address, offset, bytes.subarray(offset)).expect(204);
    } finally {
      await stopping.close();
    }
  });
});
