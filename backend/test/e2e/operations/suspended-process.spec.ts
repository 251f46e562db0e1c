import supertest from 'supertest';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeInProcess } from '../../support/world.js';

describeInProcess('Process that was suspended', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  const readReadiness = async () => (await supertest(app.url).get('/readyz')).status;
  const waitForStatus = async (status: number) => {
    while ((await readReadiness()) !== status) await new Promise((resolve) => setTimeout(resolve, 100));
  };

  it('reports itself as not ready for a while and then as ready again', async () => {
    await waitForStatus(200);
    // Blocks this process's event loop.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);
    expect(await readReadiness()).toBe(503);
    await waitForStatus(200);
  });
});
