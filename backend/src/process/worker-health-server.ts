import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { WorkerHeartbeat } from '../platform/jobs/running/worker-heartbeat.js';

/**
 * Health endpoints of a worker: `/healthz` responds while it is alive, `/readyz` succeeds while all pollers have had a
 * successful poll within the last 30 seconds.
 */
export class WorkerHealthServer {
  private readonly server: Server;
  private isStopping = false;

  constructor(private readonly heartbeat: WorkerHeartbeat) {
    this.server = createServer(({ url, method }, response) => {
      const status = this.statusOf(method ?? '', url ?? '');
      const words = { 200: 'ok', 503: 'error' }[status as number] ?? 'not found';
      const silence = Math.round(this.heartbeat.millisecondsSinceSuccess / 1000);
      response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      response.end(method === 'HEAD' ? undefined : JSON.stringify({ status: words, secondsSinceJobs: silence }));
    });
  }

  /** @throws EADDRINUSE and other errors of `listen` */
  async listen(port: number): Promise<void> {
    this.server.listen(port);
    await once(this.server, 'listening');
  }

  /** Makes the worker not ready; the server is closed with the process. */
  stop(): void {
    this.isStopping = true;
    this.server.close();
    this.server.unref();
  }

  private statusOf(method: string, url: string): number {
    if (method !== 'GET' && method !== 'HEAD') return 404;
    if (url === '/healthz') return 200;
    if (url === '/readyz') return this.heartbeat.isHealthy && !this.isStopping ? 200 : 503;
    return 404;
  }
}
