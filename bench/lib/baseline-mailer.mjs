import { createPrivateKey } from 'node:crypto';
import { createTransport } from 'nodemailer';

/**
 * The baseline: nodemailer's own pool in a separate process, without the product. On `{port, connections, count, mail,
 * dkim}` it sends that email to `count` addresses and responds when all are accepted.
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
