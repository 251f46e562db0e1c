import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { withClient } from './with-client.js';

/** AuthenticationSASL of PostgreSQL's protocol, with a mechanism that no client knows: type, length, kind, names. */
const authenticationRequest = Buffer.from('R\0\0\0\x11\0\0\0\x0aUNKNOWN\0\0', 'latin1');

describe('Connection of its own', () => {
  // PostgreSQL would wait a minute for the client, and creates and drops no database meanwhile.
  it('is closed if the client can’t sign in', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const { port } = server.address() as AddressInfo;
    const work = jest.fn(() => Promise.resolve());
    const attempt = withClient({ host: '127.0.0.1', port, user: 'ada', database: 'zonary' }, work);
    const [socket] = await accepted;
    const closed = once(socket, 'close');
    socket.once('data', () => socket.write(authenticationRequest)).resume();
    await expect(attempt).rejects.toThrow('SASL');
    await closed;
    expect(work).not.toHaveBeenCalled();
    server.close();
  }, 20_000);

  it('is rejected if no server listens', async () => {
    const nowhere = { host: '127.0.0.1', port: 1, user: 'ada', database: 'zonary' };
    await expect(withClient(nowhere, () => Promise.resolve())).rejects.toThrow('ECONNREFUSED');
  });
});
