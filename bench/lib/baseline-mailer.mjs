import { createPrivateKey } from 'node:crypto';
import { createTransport } from 'nodemailer';

/**
 * The baseline: nodemailer's own pool in a separate process, without the product. On `{ port, connections, count,
 * message, dkim }` it sends the message to `count` addresses and responds when all are accepted.
 */
process.on('message', async ({ port, connections, count, message, dkim }) => {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: connections,
    maxMessages: Infinity,
    ...(dkim ? { dkim: { ...dkim, privateKey: createPrivateKey(dkim.privateKey) } } : {}),
  });
  let remaining = count;
  const sendNext = async () => {
    while (remaining-- > 0) await transport.sendMail({ ...message, to: `raw.${remaining}@example.org` });
  };
  await Promise.all(Array.from({ length: connections * 2 }, sendNext));
  transport.close();
  process.send('done');
});
process.on('disconnect', () => process.exit(0));
