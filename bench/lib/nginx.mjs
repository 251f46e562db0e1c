import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const executable = process.env.NGINX ?? '/usr/sbin/nginx';

/**
 * Starts nginx with one worker: sends the files of a folder by sendfile, `/upload` writes the body to disk.
 * @param root the folder of the files
 * @returns null without nginx
 */
export async function startNginx(folder, root) {
  if (!existsSync(executable)) return null;
  const workDir = createWorkDir(folder, 'nginx');
  const port = await findFreePort();
  const locations = `
    root ${root};
    location = /upload { proxy_pass http://127.0.0.1:${port}/accepted; proxy_set_body off; proxy_method GET; }
    location = /accepted { return 200 "accepted"; }`;
  return start(workDir, port, locations, '/upload');
}

/**
 * Starts nginx with one worker in front of a product with `SENDFILE=x-accel:/protected/`, as in `deploy/nginx.conf`.
 * @param files folder of its storage
 * @returns null without nginx
 */
export async function startHandOverNginx(folder, productUrl, files) {
  if (!existsSync(executable)) return null;
  const upstream = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8');
  // The location of the files, with all its headers, is the one that operators use.
  const [location] = /location \/protected\/ \{[^}]*\}/.exec(upstream);
  const locations = `
    proxy_buffering off;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    location / { proxy_pass http://product; }
    ${location.replace('/srv/zonary-files/', `${files}/`)}`;
  const product = `upstream product { server ${new URL(productUrl).host}; keepalive 32; }`;
  return start(createWorkDir(folder, 'hand-over'), await findFreePort(), locations, '/healthz', product);
}

function createWorkDir(folder, name) {
  const workDir = join(folder, name);
  mkdirSync(join(workDir, 'bodies'), { recursive: true });
  for (const path of [workDir, join(workDir, 'bodies')]) chmodSync(path, 0o777);
  return workDir;
}

async function start(workDir, port, locations, readyPath, upstream = '') {
  const config = join(workDir, 'nginx.conf');
  writeFileSync(config, createConfig(workDir, port, locations, upstream));
  const child = spawn(executable, ['-p', workDir, '-c', config, '-e', 'stderr', '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await waitUntilReachable(`http://127.0.0.1:${port}${readyPath}`);
  const stop = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

// Started by root, the worker would run as another user, who can't read the product's files.
const createConfig = (workDir, port, locations, upstream) => `
${process.getuid() === 0 ? 'user root;' : ''}
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
  ${upstream}
  server {
    listen 127.0.0.1:${port};
    ${locations}
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
