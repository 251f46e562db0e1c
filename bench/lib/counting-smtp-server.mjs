import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

/** A mail server that records the emails to each address, and can be stopped and restarted on the same port. */
export class CountingSmtpServer {
  /** Message-IDs received for each address, one per delivery. */
  messageIds = new Map();
  received = 0;
  #port = 0;
  #server = null;

  get url() {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  async start() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      onData: (stream, session, done) => this.#receive(stream, session, done),
    });
    this.#server.on('error', () => undefined);
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server.server, 'listening');
    this.#port = this.#server.server.address().port;
  }

  /** Rejects connections until it is started again. */
  async stop() {
    const server = this.#server;
    this.#server = null;
    for (const connection of server?.connections ?? []) connection._socket.destroy();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  messageIdsOf = (address) => this.messageIds.get(address) ?? [];

  #receive(stream, session, done) {
    let header = '';
    stream.on('data', (chunk) => (header.length < 8192 ? (header += chunk.toString('latin1')) : undefined));
    stream.on('end', () => {
      const id = /^message-id:\s*(\S+)/im.exec(header)?.[1] ?? '';
      for (const { address } of session.envelope.rcptTo)
        this.messageIds.set(address, [...this.messageIdsOf(address), id]);
      this.received++;
      done();
    });
  }
}
