import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionToUrl } from '../../src/platform/database/pool/database-connection.js';
import { ServerProcess } from '../support/server-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { describeInProcess } from '../support/world.js';

describeInProcess('Process with open event streams', () => {
  let database: TestDatabase;
  let dataDir: string;
  let serverProcess: ServerProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'zonary-readers-'));
    serverProcess = ServerProcess.start({ DATABASE_URL: connectionToUrl(database.connection), DATA_DIR: dataDir });
  });
  afterAll(async () => {
    await serverProcess.kill();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Sets up the installation; returns a client signed in as its first user. */
  async function setUpClient() {
    const address = new URL(await serverProcess.waitForOutput(/Set it up: (http:\S+)\n/));
    const names = { firstName: 'Ada', lastName: 'Sample', username: 'ada_sample', email: 'ada@example.org' };
    const key = address.searchParams.get('key');
    const form = { ...names, password: 'a pass phrase of the first one', key };
    const headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' };
    const post = (path: string, body: object | FormData) =>
      fetch(new URL(path, address), {
        method: 'POST',
        headers: body instanceof FormData ? headers : { ...headers, 'Content-Type': 'application/json' },
        body: body instanceof FormData ? body : JSON.stringify(body),
      });
    const setupResponse = await post('/api/setup', form);
    expect(setupResponse.status).toBe(201);
    headers.Cookie = setupResponse.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
    return { address, headers, post };
  }

  it('ends the streams and then itself without waiting for the clients', async () => {
    const { address, headers, post } = await setUpClient();
    const zone = (await (await post('/api/zones', { name: 'Studio', type: 'private' })).json()) as { id: number };
    const form = new FormData();
    form.append('files', new Blob(['text']), 'Course.txt');
    const [file] = (await (await post(`/api/zones/${zone.id}/files`, form)).json()) as [{ id: number }];
    const call = request(new URL(`/api/files/${file.id}/watch`, address), { headers, agent: false }).end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    response.resume();
    const closed = once(response, 'close');
    serverProcess.child.kill('SIGTERM');
    await closed;
    // The response ended normally; those still open after the timeout would have been cut off.
    expect(response.complete).toBe(true);
    expect(await serverProcess.exitCode).toBe(0);
  });
});
