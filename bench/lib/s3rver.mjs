import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root } from './product.mjs';

/** Starts a small S3 server in a process of its own, with an empty bucket on disk. */
export async function startS3Server(workDir) {
  const folder = join(workDir, 's3');
  mkdirSync(folder);
  const port = await findFreePort();
  const options = ['-d', folder, '-a', '127.0.0.1', '-p', String(port), '-s', '--configure-bucket', 'bench-files'];
  const child = spawn(process.execPath, [`${root}node_modules/s3rver/bin/s3rver.js`, ...options], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).catch(() => null))) await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    env: {
      STORAGE_URL: `s3://bench-files?endpoint=${url}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
