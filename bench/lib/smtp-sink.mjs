import { SMTPServer } from 'smtp-server';

/**
 * A mail server in its own process that accepts everything; forked with the milliseconds before each acceptance. Sends
 * its port; on `figures` it sends the number of emails since the last `reset`, the times of the first and the last, and
 * the first one's content.
 */
const delay = Number(process.argv[2] ?? 0);
let figures = { count: 0, first: 0, last: 0, raw: '' };

function take(chunks) {
  const now = performance.now();
  if (figures.count === 0) figures = { ...figures, first: now, raw: Buffer.concat(chunks).toString('utf8') };
  figures.count += 1;
  figures.last = now;
}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData: (stream, _session, done) => {
    const chunks = [];
    stream.on('data', (chunk) => (figures.count === 0 ? chunks.push(chunk) : undefined));
    stream.on('end', () => {
      const answer = () => {
        take(chunks);
        done();
      };
      if (delay > 0) setTimeout(answer, delay);
      else answer();
    });
  },
});
server.on('error', () => undefined);
server.listen(0, '127.0.0.1', () => process.send({ port: server.server.address().port }));
process.on('message', (message) => {
  if (message === 'reset') figures = { count: 0, first: 0, last: 0, raw: '' };
  process.send(figures);
});
process.on('disconnect', () => process.exit(0));
