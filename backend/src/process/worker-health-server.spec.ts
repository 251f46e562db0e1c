import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { UNHEALTHY_AFTER, WorkerHeartbeat } from '../platform/jobs/running/worker-heartbeat.js';
import { WorkerHealthServer } from './worker-health-server.js';

class HandSetPulse extends WorkerHeartbeat {
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
    const pulse = new HandSetPulse();
    pulse.registerPoller('jobs');
    pulse.registerPoller('mails');
    const health = new WorkerHealthServer(pulse);
    const port = await freePort();
    await health.listen(port);
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    const both = async () => [await statusOf('/healthz'), await statusOf('/readyz')];
    try {
      expect(await both()).toEqual([200, 200]);
      pulse.at = UNHEALTHY_AFTER;
      pulse.recordPoll('jobs', true);
      expect(await both()).toEqual([200, 503]);
      pulse.recordPoll('mails', true);
      expect(await both()).toEqual([200, 200]);
    } finally {
      health.stop();
    }
  });
});
