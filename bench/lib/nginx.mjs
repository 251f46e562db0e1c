import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const program = process.env.NGINX ?? '/usr/sbin/nginx';

/**
 * Starts nginx with one worker: `/file.bin` of the given size by sendfile, `/upload` writes the body to disk.
 * @returns null without nginx
 */
export async function startNginx(folder, size) {
  if (!existsSync(program)) return null;
  const place = join(folder, 'nginx');
  mkdirSync(join(place, 'bodies'), { recursive: true });
  for (const path of [place, join(place, 'bodies')]) chmodSync(path, 0o777);
  writeFileSync(join(place, 'file.bin'), randomBytes(size), { mode: 0o644 });
  const port = await freePort();
  const config = join(place, 'nginx.conf');
  writeFileSync(config, configOf(place, port));
  const child = spawn(program, ['-p', place, '-c', config, '-e', 'stderr', '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await answers(`http://127.0.0.1:${port}/file.bin`);
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

const configOf = (place, port) => `
worker_processes 1;
pid ${place}/nginx.pid;
error_log stderr crit;
events { worker_connections 128; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  client_max_body_size 200m;
  client_body_temp_path ${place}/bodies;
  client_body_in_file_only clean;
  proxy_temp_path ${place}/proxy; fastcgi_temp_path ${place}/fastcgi; uwsgi_temp_path ${place}/uwsgi; scgi_temp_path ${place}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${place};
    location = /upload { proxy_pass http://127.0.0.1:${port}/taken; proxy_set_body off; proxy_method GET; }
    location = /taken { return 200 "taken"; }
  }
}
`;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

async function answers(url) {
  for (let tries = 0; tries < 100; tries++) {
    try {
      return await (await fetch(url)).arrayBuffer();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('nginx did not start.');
}
