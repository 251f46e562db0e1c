import { once } from 'node:events';
import { readdir, utimes } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { UploadCleanupService } from '../../src/modules/files/upload/upload-cleanup.service.js';
import { connectionToUrl } from '../../src/platform/database/pool/database-connection.js';
import { createZone, PASSWORD, registerUser } from '../support/people/actors.js';
import { ServerProcess } from '../support/server-process.js';
import { describeInProcess, World } from '../support/world.js';

const DRAFTS = 3;
const HALF = Buffer.alloc(1_000_000, 7);

describeInProcess('Process killed during uploads', () => {
  let world: World;
  let product: ServerProcess | undefined;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(async () => {
    await product?.kill();
    await world.close();
  });

  it('leaves unfinished files, which the sweep deletes after a day, and none in the zone', async () => {
    const { config, connection, app } = world.testApp;
    const owner = await registerUser(world);
    const zone = await createZone(owner);
    const signedIn = await world
      .createClient()
      .post('/api/login')
      .send({ email: owner.email, password: PASSWORD })
      .expect(200);
    const cookie = (signedIn.headers['set-cookie'] as unknown as string[])
      .map((header) => header.split(';')[0])
      .join('; ');
    const folder = join(config.dataDir, 'files/.unfinished');
    const listUnfinished = () => readdir(folder).catch(() => [] as string[]);

    product = ServerProcess.start({
      DATABASE_URL: connectionToUrl(connection),
      DATA_DIR: config.dataDir,
      APP_SECRET: config.appSecret,
    });
    const { port } = new URL(await product.waitUntilReady());
    const broken = Array.from({ length: DRAFTS }, (_, index) => {
      const upload = request({
        port,
        method: 'POST',
        path: `/api/zones/${zone.id}/files`,
        headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'multipart/form-data; boundary=x' },
      });
      const head = `--x\r\nContent-Disposition: form-data; name="files"; filename="film ${index}.mp4"\r\n\r\n`;
      upload.write(Buffer.concat([Buffer.from(head), HALF]));
      return once(upload, 'error');
    });
    while ((await listUnfinished()).length < DRAFTS) await new Promise((resume) => setTimeout(resume, 20));
    await Promise.all([product.kill(), ...broken]);
    expect(await listUnfinished()).toHaveLength(DRAFTS);

    const runSweep = () =>
      app.get(UploadCleanupService).cleanUp({} as never, { signal: new AbortController().signal } as never);
    await runSweep();
    expect(await listUnfinished()).toHaveLength(DRAFTS);
    const yesterday = new Date(Date.now() - 86_400_000 - 1000);
    for (const name of await listUnfinished()) await utimes(join(folder, name), yesterday, yesterday);
    await runSweep();
    expect(await listUnfinished()).toEqual([]);
    expect((await owner.client.get(`/api/zones/${zone.id}/files`).expect(200)).body).toEqual([]);
  });
});
