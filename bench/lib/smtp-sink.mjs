import { SMTPServer } from 'smtp-server';

/**
 * A mail server in its own process that accepts and discards everything. The argument is the delay before each
 * acceptance in milliseconds. Sends its port first; on `stats` it sends the number of emails since the last `reset`, the
 * times of the first and the last, and the content of the first.
 */
const delayMs = Number(process.argv[2] ?? 0);
let received = { count: 0, first: 0, last: 0, raw: '' };

function record(chunks) {
  const now = performance.now();
  if (received.count === 0) received = { ...received, first: now, raw: Buffer.concat(chunks).toString('utf8') };
  received.count += 1;
  received.last = now;
}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData: (stream, _session, callback) => {
    const chunks = [];
    stream.on('data', (chunk) => (received.count === 0 ? chunks.push(chunk) : undefined));
    stream.on('end', () => {
      const accept = () => {
        record(chunks);
        callback();
      };
      if (delayMs > 0) setTimeout(accept, delayMs);
      else accept();
    });
  },
});
server.on('error', () => undefined);
server.listen(0, '127.0.0.1', () => process.send({ port: server.server.address().port }));
process.on('message', (message) => {
  if (message === 'reset') received = { count: 0, first: 0, last: 0, raw: '' };
  process.send(received);
});
process.on('disconnect', () => process.exit(0));
