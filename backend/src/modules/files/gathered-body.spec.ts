import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { BLOCK, freeBlock, keepBlock } from '../../platform/storage/blocks.js';
import { GatheredBody } from './gathered-body.js';

describe('a body that is gathered', () => {
  let server: Server;
  let answer: (body: GatheredBody, incoming: IncomingMessage) => Promise<unknown>;
  let outcome: Promise<unknown>;

  beforeEach(async () => {
    server = createServer((incoming, response) => {
      outcome = answer(new GatheredBody(incoming), incoming);
      outcome.then(
        (said) => response.end(JSON.stringify(said ?? null)),
        () => response.destroy(),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = (agent?: Agent) => {
    const { port } = server.address() as AddressInfo;
    return request({ port, method: 'POST', host: '127.0.0.1', ...(agent ? { agent } : {}) });
  };

  async function said(call: ClientRequest): Promise<unknown> {
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString());
  }

  async function digestOf(body: GatheredBody): Promise<object> {
    const hash = createHash('sha256');
    let pieces = 0;
    for await (const bytes of body) {
      hash.update(bytes);
      pieces++;
    }
    return { pieces, digest: hash.digest('hex') };
  }

  it('is what was sent, in pieces of a block', async () => {
    answer = digestOf;
    const bytes = randomBytes(5 * BLOCK + 12_345);
    const call = open();
    call.end(bytes);
    const { pieces, digest } = (await said(call)) as { pieces: number; digest: string };
    expect(digest).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(pieces).toBeLessThan(40);
  });

  it('is nothing when nothing was sent', async () => {
    answer = digestOf;
    const call = open();
    call.end();
    expect(await said(call)).toMatchObject({ pieces: 0 });
  });

  it('does not keep a reader waiting for a sender who is slow', async () => {
    answer = async (body) => {
      const { value } = await body.next();
      return value?.toString();
    };
    const call = open();
    call.write('a little');
    expect(await said(call)).toBe('a little');
    call.destroy();
  });

  it('waits for a reader who keeps what was read, and goes on when that is free', async () => {
    const bytes = randomBytes(30 * BLOCK);
    let arrived = 0;
    answer = async (body, incoming) => {
      incoming.on('data', (chunk: Buffer) => (arrived += chunk.length));
      const hash = createHash('sha256');
      const kept: Buffer[] = [];
      for (let n = 0; n < 3; n++) {
        const { value } = await body.next();
        expect(keepBlock(value!)).toBe(true);
        kept.push(value!);
      }
      for (let before = -1; before !== arrived; await pause(100)) before = arrived;
      const most = arrived;
      for (const piece of kept) {
        hash.update(piece);
        freeBlock(piece);
      }
      for await (const piece of body) hash.update(piece);
      return { most, digest: hash.digest('hex') };
    };
    const call = open();
    call.end(bytes);
    const { most, digest } = (await said(call)) as { most: number; digest: string };
    expect(digest).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(most).toBeLessThan(8 * BLOCK);
  });

  it('gives what has come before it tells that the sender has gone', async () => {
    const read: string[] = [];
    answer = async (body) => {
      for await (const bytes of body) read.push(bytes.toString());
    };
    const call = open();
    call.on('error', () => undefined);
    call.setHeader('content-length', 100);
    call.write('the beginning');
    await once(server, 'request');
    await pause(20);
    call.destroy();
    await expect(outcome).rejects.toThrow();
    expect(read.join('')).toBe('the beginning');
  });

  it('leaves the connection to the next request when it is not read to its end', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    answer = async (body) => {
      const { value } = await body.next();
      const length = value!.length;
      await body.return();
      return length;
    };
    for (let n = 0; n < 3; n++) {
      const call = open(agent);
      call.end(randomBytes(8 * BLOCK));
      expect(await said(call)).toBeGreaterThan(0);
    }
    agent.destroy();
  });
});
