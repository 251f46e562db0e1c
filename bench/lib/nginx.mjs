import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const executable = process.env.NGINX ?? '/usr/sbin/nginx';

/**
 * Starts nginx with one worker: `/file.bin` of the given size by sendfile, `/upload` writes the body to disk.
 * @returns null without nginx
 */
export async function startNginx(folder, size) {
  if (!existsSync(executable)) return null;
  const workDir = join(folder, 'nginx');
  mkdirSync(join(workDir, 'bodies'), { recursive: true });
  for (const path of [workDir, join(workDir, 'bodies')]) chmodSync(path, 0o777);
  writeFileSync(join(workDir, 'file.bin'), randomBytes(size), { mode: 0o644 });
  const port = await findFreePort();
  const config = join(workDir, 'nginx.conf');
  writeFileSync(config, createConfig(workDir, port));
  const child = spawn(executable, ['-p', workDir, '-c', config, '-e', 'stderr', '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await waitUntilReachable(`http://127.0.0.1:${port}/file.bin`);
  const stop = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

const createConfig = (workDir, port) => `
worker_processes 1;
pid ${workDir}/nginx.pid;
error_log stderr crit;
events { worker_connections 128; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  client_max_body_size 200m;
  client_body_temp_path ${workDir}/bodies;
  client_body_in_file_only clean;
  proxy_temp_path ${workDir}/proxy; fastcgi_temp_path ${workDir}/fastcgi; uwsgi_temp_path ${workDir}/uwsgi; scgi_temp_path ${workDir}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${workDir};
    location = /upload { proxy_pass http://127.0.0.1:${port}/accepted; proxy_set_body off; proxy_method GET; }
    location = /accepted { return 200 "accepted"; }
  }
}
`;

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

async function waitUntilReachable(url) {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      return await (await fetch(url)).arrayBuffer();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('nginx did not start.');
}
