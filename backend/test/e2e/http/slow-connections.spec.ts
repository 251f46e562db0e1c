import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import supertest from 'supertest';
import { limitConnections } from '../../../src/platform/http/limits/connection-limits.js';
import { fullOrShort } from '../../support/full-or-short.js';
import { createTestApp, type TestApp } from '../../support/test-app.js';
import { describeInProcess } from '../../support/world.js';

const SHORT = { headers: 15_000, body: 900, idleBody: 300, idle: 10_000, stalledClient: 400 };

/** A raw connection and everything received on it. */
class RawConnection {
  received = '';
  readonly closed: Promise<unknown>;

  private constructor(readonly socket: Socket) {
    socket.on('data', (bytes) => (this.received += bytes.toString('latin1')));
    socket.on('error', () => undefined);
    this.closed = once(socket, 'close');
  }

  static async connect(url: string): Promise<RawConnection> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const connection = new RawConnection(socket);
    await Promise.race([once(socket, 'connect'), connection.closed]);
    return connection;
  }
}

/**
 * Waits for the next data.
 * @throws Error if the connection is closed instead
 */
const waitForData = (connection: RawConnection) =>
  Promise.race([
    once(connection.socket, 'data'),
    connection.closed.then(() => Promise.reject(new Error('The connection was closed.'))),
  ]);

const INTERVAL = 10;

/**
 * Retries an attempt that must be faster than a limit of the server. If this process was held up for more than half of
 * the limit within one such span (also by several short stalls), the machine was too busy, and the attempt is repeated.
 * @param limit in milliseconds
 */
async function retryWhileBusy(limit: number, attempt: () => Promise<void>): Promise<void> {
  let [last, longest] = [performance.now(), 0];
  let delays: { at: number; length: number }[] = [];
  const timer = setInterval(() => {
    const now = performance.now();
    delays = [...delays.filter(({ at }) => now - at < limit), { at: now, length: now - last - INTERVAL }];
    longest = Math.max(
      longest,
      delays.reduce((sum, { length }) => sum + length, 0),
    );
    last = now;
  }, INTERVAL);
  try {
    await attempt();
  } catch (error) {
    if (longest < limit / 2) throw error;
    return await retryWhileBusy(limit, attempt);
  } finally {
    clearInterval(timer);
  }
}

const head = (type: string, length: number, path = '/api/forgot-password') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

describeInProcess('Slow request body', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({}, [], undefined, SHORT);
  });
  afterAll(() => app.close());

  it.each(['application/json', 'text/plain'])(
    'is rejected with a message and the connection is closed: %s',
    async (type) => {
      const connection = await RawConnection.connect(app.url);
      connection.socket.write(`${head(type, 100)}{`);
      await connection.closed;
      expect(connection.received).toMatch(type === 'text/plain' ? /^HTTP\/1.1 (408|415) / : /^HTTP\/1.1 408 /);
      if (type === 'application/json') expect(connection.received).toContain('"code":"BODY_TOO_SLOW"');
    },
  );

  it('is rejected at a webhook, too, whatever its content type', async () => {
    const connection = await RawConnection.connect(app.url);
    connection.socket.write(`${head('multipart/form-data; boundary=x', 100, '/api/webhooks/stripe')}{`);
    await connection.closed;
    expect(connection.received).toMatch(/^HTTP\/1.1 408 /);
  });

  it('is rejected when sent byte by byte', async () => {
    const connection = await RawConnection.connect(app.url);
    connection.socket.write(head('application/json', 1000));
    const drip = setInterval(() => connection.socket.write(' '), 50);
    await connection.closed;
    clearInterval(drip);
    expect(connection.received).toMatch(/^HTTP\/1.1 408 /);
  });

  it('does not block complete requests, even for very many sign-ins', async () => {
    const lines = await Promise.all(
      Array.from({ length: fullOrShort(2000, 200) }, () => RawConnection.connect(app.url)),
    );
    for (const { socket } of lines) socket.write(`${head('application/json', 100, '/api/login')}{`);
    const whole = { email: 'nobody@example.com', password: 'blue heron 42' };
    const answer = await supertest(app.url).post('/api/login').set('Sec-Fetch-Site', 'same-origin').send(whole);
    expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    await Promise.all(lines.map(({ closed }) => closed));
    expect(lines.filter(({ received }) => !received.startsWith('HTTP/1.1 408 '))).toEqual([]);
  });

  it('is accepted within the time limit, and the connection stays usable', () =>
    retryWhileBusy(SHORT.idleBody, async () => {
      const connection = await RawConnection.connect(app.url);
      const body = '{"email":"nobody@example.com"}';
      connection.socket.write(head('application/json', body.length) + body.slice(0, 5));
      await new Promise((resume) => setTimeout(resume, 100));
      connection.socket.write(body.slice(5) + head('application/json', body.length) + body);
      while (connection.received.split('HTTP/1.1 200').length < 3) await waitForData(connection);
      connection.socket.destroy();
    }));

  it('closes the connection of an upload that was answered early', async () => {
    const connection = await RawConnection.connect(app.url);
    connection.socket.write(head('multipart/form-data; boundary=x', 1000));
    await connection.closed;
    expect(connection.received).toMatch(/^HTTP\/1.1 415 /);
  });
});

describeInProcess('Slow client', () => {
  const CHUNK = Buffer.alloc(256 * 1024, 1);
  const CHUNK_COUNT = 256;
  let server: Server;
  let url: string;
  let answer: (response: ServerResponse) => void;

  beforeEach(async () => {
    answer = (response) => void Readable.from(Array.from({ length: CHUNK_COUNT }, () => CHUNK)).pipe(response);
    server = createServer((_request, response) => answer(response));
    limitConnections(server, 100, SHORT, new Logger('Connections'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const sendRequest = async () => {
    const ended = new Promise((resolve) => server.once('request', (_, response) => response.once('close', resolve)));
    const connection = await RawConnection.connect(url);
    connection.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return { connection, ended };
  };

  it('is disconnected when it reads nothing', async () => {
    const { connection, ended } = await sendRequest();
    connection.socket.pause();
    await ended;
    connection.socket.resume();
    await connection.closed;
    expect(connection.received.length).toBeLessThan(CHUNK.length * CHUNK_COUNT);
  });

  it('is disconnected when it reads nothing although more is sent', async () => {
    const { connection, ended } = await sendRequest();
    connection.socket.pause();
    const drip = setInterval(() => connection.socket.write('\r\n'), SHORT.stalledClient / 4);
    await ended;
    clearInterval(drip);
    connection.socket.resume();
    await connection.closed;
    expect(connection.received.length).toBeLessThan(CHUNK.length * CHUNK_COUNT);
  });

  it('receives the whole response when it reads slowly', () =>
    retryWhileBusy(SHORT.stalledClient, async () => {
      const { connection, ended } = await sendRequest();
      for (let turn = 0; turn < 10; turn++) {
        connection.socket.pause();
        await new Promise((resume) => setTimeout(resume, SHORT.stalledClient / 4));
        connection.socket.resume();
        const enough = connection.received.length + 4 * 2 ** 20;
        while (connection.received.length < enough) await waitForData(connection);
      }
      await ended;
      connection.socket.end();
      await connection.closed;
      expect(connection.received.length).toBeGreaterThan(CHUNK.length * CHUNK_COUNT);
    }));

  it('is not disconnected while the response is being produced', async () => {
    answer = (response) => void setTimeout(() => response.end('late'), SHORT.stalledClient * 3);
    const { connection } = await sendRequest();
    while (!connection.received.includes('late')) await once(connection.socket, 'data');
    connection.socket.destroy();
  });
});

describeInProcess('Connections above the limit', () => {
  const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
  let app: TestApp;
  let open: RawConnection[];
  beforeEach(async () => {
    app = await createTestApp({ MAX_CONNECTIONS: '10' });
    open = await Promise.all(Array.from({ length: 10 }, () => RawConnection.connect(app.url)));
  });
  afterEach(async () => {
    for (const { socket } of open) socket.destroy();
    await app.close();
  });

  it('are closed at once while the others are busy', async () => {
    for (const { socket } of open) socket.write(request.slice(0, 20));
    const more = await Promise.all(Array.from({ length: 5 }, () => RawConnection.connect(app.url)));
    await Promise.all(more.map(({ closed }) => closed));
    expect(more.map(({ received }) => received)).toEqual(['', '', '', '', '']);
    for (const { socket } of open) socket.write(request.slice(20));
    await Promise.all(open.map(async (connection) => connection.received || (await once(connection.socket, 'data'))));
    expect(app.app.getHttpServer().maxConnections).toBe(10);
  });

  it('replace idle keep-alive connections, which outlast those of proxies', async () => {
    for (const { socket } of open) socket.write(request);
    await Promise.all(open.map(async (connection) => connection.received || (await once(connection.socket, 'data'))));
    expect(open[0]!.received).toContain('Keep-Alive: timeout=125');
    await (
      await RawConnection.connect(app.url)
    ).closed;
    await Promise.all(open.map(({ closed }) => closed));
    const next = await RawConnection.connect(app.url);
    next.socket.write(request);
    while (!next.received.includes('200 OK')) await once(next.socket, 'data');
    next.socket.destroy();
  });
});
