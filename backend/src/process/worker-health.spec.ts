import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { SILENT_AFTER, WorkerPulse } from '../platform/jobs/running/worker-pulse.js';
import { WorkerHealth } from './worker-health.js';

class HandSetPulse extends WorkerPulse {
  at = 0;
  protected override now(): number {
    return this.at ?? 0;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('the health of a worker', () => {
  it('says that it lives and is not ready once a look has not come back for half a minute', async () => {
    const pulse = new HandSetPulse();
    pulse.expect('jobs');
    pulse.expect('mails');
    const health = new WorkerHealth(pulse);
    const port = await freePort();
    await health.listen(port);
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    const both = async () => [await statusOf('/healthz'), await statusOf('/readyz')];
    try {
      expect(await both()).toEqual([200, 200]);
      pulse.at = SILENT_AFTER;
      pulse.cameBack('jobs', true);
      expect(await both()).toEqual([200, 503]);
      pulse.cameBack('mails', true);
      expect(await both()).toEqual([200, 200]);
    } finally {
      health.stop();
    }
  });
});
