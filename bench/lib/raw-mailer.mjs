import { createPrivateKey } from 'node:crypto';
import { createTransport } from 'nodemailer';

/**
 * What is compared with: nodemailer's own pool in a process of its own, without a product around it. Told
 * `{port, connections, count, mail, dkim}` it sends that mail to `count` addresses and answers when all are taken.
 */
process.on('message', async ({ port, connections, count, mail, dkim }) => {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: connections,
    maxMessages: Infinity,
    ...(dkim ? { dkim: { ...dkim, privateKey: createPrivateKey(dkim.privateKey) } } : {}),
  });
  let left = count;
  const lane = async () => {
    while (left-- > 0) await transport.sendMail({ ...mail, to: `raw.${left}@example.org` });
  };
  await Promise.all(Array.from({ length: connections * 2 }, lane));
  transport.close();
  process.send('done');
});
process.on('disconnect', () => process.exit(0));
