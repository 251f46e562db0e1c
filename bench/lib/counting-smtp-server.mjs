import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

/** A mail server that counts each email per address, and can go down and return on the same port. */
export class CountingMailServer {
  /** Message-IDs received for each address, once for each delivery. */
  mails = new Map();
  taken = 0;
  #port = 0;
  #server = null;

  get url() {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  async open() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      onData: (stream, session, done) => this.#take(stream, session, done),
    });
    this.#server.on('error', () => undefined);
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server.server, 'listening');
    this.#port = this.#server.server.address().port;
  }

  /** Refuses connections until it is opened again. */
  async away() {
    const server = this.#server;
    this.#server = null;
    for (const connection of server?.connections ?? []) connection._socket.destroy();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  to = (address) => this.mails.get(address) ?? [];

  #take(stream, session, done) {
    let head = '';
    stream.on('data', (chunk) => (head.length < 8192 ? (head += chunk.toString('latin1')) : undefined));
    stream.on('end', () => {
      const id = /^message-id:\s*(\S+)/im.exec(head)?.[1] ?? '';
      for (const { address } of session.envelope.rcptTo) this.mails.set(address, [...this.to(address), id]);
      this.taken++;
      done();
    });
  }
}
