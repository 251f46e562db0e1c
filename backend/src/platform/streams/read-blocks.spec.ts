import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBlocks } from './read-blocks.js';

const MIB = 1024 * 1024;

describe('readBlocks', () => {
  let server: Server;
  let call: ClientRequest;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    call.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** Opens a request to the server; its client is `call`. */
  const openRequest = async (): Promise<IncomingMessage> => {
    const received = once(server, 'request') as Promise<[IncomingMessage]>;
    call = request({ port: (server.address() as AddressInfo).port, method: 'PATCH' });
    call.on('error', () => undefined);
    call.flushHeaders();
    const [message] = await received;
    return message;
  };
  const never = new AbortController().signal;

  it('passes on all bytes in order, in fewer blocks than network reads', async () => {
    const bytes = randomBytes(20 * MIB + 17);
    const message = await openRequest();
    call.end(bytes);
    const received: Buffer[] = [];
    for await (const block of readBlocks(message, never)) {
      // Copied, because the block is only valid until the next.
      received.push(Buffer.from(block));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(Buffer.concat(received).equals(bytes)).toBe(true);
    expect(received.length).toBeLessThan((20 * MIB) / (64 * 1024));
  });

  it('reads no more than a few blocks from a fast client while none is taken', async () => {
    const message = await openRequest();
    const blocks = readBlocks(message, never);
    call.write('abc');
    await blocks.next();
    call.end(randomBytes(20 * MIB));
    await waitUntil(() => message.isPaused());
    expect(message.socket.bytesRead).toBeLessThan(2 * MIB);
    let size = 0;
    for await (const block of blocks) size += block.length;
    expect(size).toBe(20 * MIB);
  });

  it('gives what has arrived, then fails when the client disconnects', async () => {
    const message = await openRequest();
    call.write('abc');
    const blocks = readBlocks(message, never);
    expect((await blocks.next()).value?.toString()).toBe('abc');
    call.destroy();
    await expect(blocks.next()).rejects.toThrow();
  });

  it('ends when it is stopped, and leaves the connection open', async () => {
    const message = await openRequest();
    call.write('abc');
    const stop = new AbortController();
    const blocks = readBlocks(message, stop.signal);
    expect((await blocks.next()).value?.toString()).toBe('abc');
    const last = blocks.next();
    stop.abort();
    expect((await last).done).toBe(true);
    expect(message.destroyed).toBe(false);
  });

  it('has no blocks for an empty body', async () => {
    const message = await openRequest();
    call.end();
    expect((await readBlocks(message, never).next()).done).toBe(true);
  });
});

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
