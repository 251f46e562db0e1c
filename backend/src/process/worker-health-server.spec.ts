import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { UNHEALTHY_AFTER, WorkerHeartbeat } from '../platform/jobs/running/worker-heartbeat.js';
import { WorkerHealthServer } from './worker-health-server.js';

/** A heartbeat whose clock is set by the test. */
class ManualHeartbeat extends WorkerHeartbeat {
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

describe('WorkerHealthServer', () => {
  it('reports the worker as live but not ready when a poll hangs for half a minute', async () => {
    const heartbeat = new ManualHeartbeat();
    heartbeat.registerPoller('jobs');
    heartbeat.registerPoller('mails');
    const health = new WorkerHealthServer(heartbeat);
    const port = await freePort();
    await health.listen(port);
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    const statuses = async () => [await statusOf('/healthz'), await statusOf('/readyz')];
    try {
      expect(await statuses()).toEqual([200, 200]);
      heartbeat.at = UNHEALTHY_AFTER;
      heartbeat.recordPoll('jobs', true);
      expect(await statuses()).toEqual([200, 503]);
      heartbeat.recordPoll('mails', true);
      expect(await statuses()).toEqual([200, 200]);
    } finally {
      health.stop();
    }
  });
});
