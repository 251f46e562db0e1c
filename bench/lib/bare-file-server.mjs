import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

/**
 * The limit of downloads through Node.js: a server that does nothing but send one file, in a process of its own. It reads
 * the file into two reused buffers, so that the next part is read while one is sent.
 */
const BUFFER_BYTES = 2 ** 20;

/**
 * Starts the server.
 * @param path of the file, which is the response to every request
 */
export async function startBareFileServer(path) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  const stop = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return { url: `http://127.0.0.1:${String(port).trim()}`, stop };
}

async function sendFile(path, response) {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
    const buffers = [Buffer.allocUnsafeSlow(BUFFER_BYTES), Buffer.allocUnsafeSlow(BUFFER_BYTES)];
    const read = (part) => file.read(buffers[part % 2], 0, BUFFER_BYTES, part * BUFFER_BYTES);
    const parts = Math.ceil(size / BUFFER_BYTES);
    let next = read(0);
    for (let part = 0; part < parts && !response.destroyed; part++) {
      const { bytesRead } = await next;
      const written = new Promise((resolve) => {
        response.write(buffers[part % 2].subarray(0, bytesRead), resolve);
      });
      if (part + 1 < parts) next = read(part + 1);
      await written;
    }
    response.end();
  } finally {
    await file.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , path] = process.argv;
  const server = createServer((_request, response) => {
    sendFile(path, response).catch((error) => response.destroy(error));
  }).listen(0, '127.0.0.1', () => console.log(server.address().port));
}
