import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY } from '../../../../src/platform/clock/clock.js';
import { uniqueName } from '../../../support/people/actors.js';
import { PeerServer } from '../../../support/fakes/peer-server.js';
import { baseUrl, describeInProcess, World } from '../../../support/world.js';
import { buildMultipart, pollUntil } from '../upload/multipart-helpers.js';
import { createUpload, OFFSET_CONTENT_TYPE, cookieHeaderOf } from '../upload/files-tus.js';
import { CrashLeftovers } from './crash-leftovers.js';
import { FilesZone } from '../files-zone.js';

const MB = 2 ** 20;
/** Delays before processes are killed, in milliseconds after all operations were sent. */
const KILL_DELAYS = [10, 60, 250];
/** In milliseconds; processes start slowly while others are running. */
const TIMEOUT = 240_000;

let world: World;
let neighbours: Promise<PeerServer>[] = [];

beforeAll(async () => {
  world = await World.open();
  if (baseUrl) return;
  neighbours = KILL_DELAYS.map(() => PeerServer.start(world.testApp));
  for (const starting of neighbours) starting.catch(() => undefined);
}, TIMEOUT);
afterAll(async () => {
  for (const starting of neighbours) await starting.then((neighbour) => neighbour.kill());
  await world.close();
}, TIMEOUT);

describeInProcess('Process killed at any moment', () => {
  /** Sends all operations that change bytes to a process; the responses don't matter. */
  async function createLoad(url: string, here: FilesZone): Promise<void> {
    const { owner, zone } = here;
    const Cookie = cookieHeaderOf(owner, world.url);
    const call = (method: string, path: string, type: string, body?: Buffer | string, more = {}) => {
      const headers = { Cookie, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': type, ...more };
      void fetch(url + path, { method, headers, body: body as never })
        .then((response) => response.arrayBuffer())
        .catch(() => undefined);
    };
    const createdFiles = await Promise.all(
      Array.from({ length: 4 }, (_, n) => here.uploadFile(uniqueName(`file${n}`), undefined, 'text')),
    );
    const folder = await here.createFolder(uniqueName('folder'));
    await here.uploadFile(uniqueName('inside'), folder, 'text');
    await here.deleteItem('files', createdFiles[0]!.id);
    const patches = await Promise.all(
      [1, 9].map(
        async (size) => [size * MB, await createUpload(owner.client, zone, uniqueName('tus'), size * MB)] as const,
      ),
    );
    for (const size of [1000, MB, 3 * MB]) {
      const { type, body } = buildMultipart(
        { name: uniqueName('one'), body: randomBytes(size) },
        { name: uniqueName('two'), body: 'text' },
      );
      call('POST', `/api/zones/${zone.id}/files`, type, body);
    }
    for (const [size, address] of patches) {
      call('PATCH', address, OFFSET_CONTENT_TYPE, randomBytes(size), {
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': '0',
      });
    }
    call('POST', `/api/zones/${zone.id}/trash/purge`, 'application/json', '{"all":true}');
    call('DELETE', `/api/files/${createdFiles[1]!.id}`, 'application/json');
    call('DELETE', `/api/folders/${folder}`, 'application/json');
  }

  /** Transactions of a dead process end by themselves. */
  const settled = () =>
    pollUntil(async () => {
      const busy = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and state <> 'idle'`;
      return (await new CrashLeftovers(world).query(busy)).length === 0;
    });

  it(
    'leaves only complete files, and the usage equals their size',
    async () => {
      const zones: FilesZone[] = [];
      for (const [index, moment] of KILL_DELAYS.entries()) {
        const here = await FilesZone.open(world);
        zones.push(here);
        const peerServer = await neighbours[index]!;
        await createLoad(peerServer.url, here);
        await pause(moment);
        await peerServer.kill();
      }
      await settled();
      world.testApp.clock.advance(DAY + 1000);
      const crashLeftovers = new CrashLeftovers(world);
      await crashLeftovers.cleanUp();
      await crashLeftovers.expectNone();
      for (const { owner, zone } of zones) {
        const { body: files } = await owner.client.get(`/api/zones/${zone.id}/files`).expect(200);
        const { body: shown } = await owner.client.get(`/api/zones/${zone.id}`).expect(200);
        expect(shown.fileCount).toBeGreaterThanOrEqual(files.length);
        for (const { id } of files as { id: number }[]) {
          const [row] = await crashLeftovers.query<{ sha256: string }>('select sha256 from files where id = ?', [id]);
          const { body } = await owner.client.get(`/api/files/${id}/download`).responseType('blob').expect(200);
          expect(
            createHash('sha256')
              .update(body as Buffer)
              .digest('hex'),
          ).toBe(row!.sha256);
        }
      }
      const counted = `select zone_id from zone_stats s where files <> (select count(*) from files f
        where f.zone_id = s.zone_id and f.trashed_at is null)`;
      expect(await crashLeftovers.query(counted)).toEqual([]);
    },
    TIMEOUT,
  );
});
