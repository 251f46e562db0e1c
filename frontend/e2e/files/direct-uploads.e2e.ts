import { randomBytes } from 'node:crypto';
import { PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3';
import { S3Server } from '../../../backend/test/support/fakes/s3-server.ts';
import { Mailbox } from '../support/mailbox.ts';
import { startServer } from '../support/server.ts';
import { expect, makeUser, test } from '../support/test.ts';

const MB = 2 ** 20;

test('a user uploads a large file to the bucket itself, or through the service if the bucket allows no pages', async ({
  page,
  pageErrors,
}) => {
  test.setTimeout(300_000);
  const bucket = await S3Server.start('zonary-files');
  const { accessKeyId, secretAccessKey } = S3Server.credentials;
  const server = await startServer(() =>
    Promise.resolve({
      STORAGE_URL: `s3://zonary-files?endpoint=${bucket.url}&directUploads=yes`,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    }),
  );
  try {
    const puts: string[] = [];
    const patches: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT' && request.url().startsWith(bucket.url)) puts.push(request.url());
      if (request.method() === 'PATCH') patches.push(request.url());
    });
    const mailbox = new Mailbox(() => server.dataDir);
    const user = makeUser();
    const post = (path: string, data: object) =>
      page.request.post(server.url + path, { headers: { origin: server.url }, data });
    expect((await post('/api/send-verification', { email: user.email })).status()).toBe(200);
    const verificationCode = await mailbox.waitForCode(user.email);
    expect((await post('/api/register', { ...user, verificationCode })).status()).toBe(201);
    const { id } = (await (await post('/api/zones', { name: 'Films', type: 'private' })).json()) as { id: number };
    const upload = async (name: string, bytes: Buffer) => {
      const file = { name, mimeType: 'application/octet-stream', buffer: bytes };
      await page.locator('main input[type=file][multiple]').setInputFiles(file);
      await expect(page.getByText('Files uploaded successfully').first()).toBeVisible({ timeout: 60_000 });
      await expect(page.getByRole('main').getByText(name)).toBeVisible();
    };
    await page.goto(`${server.url}/zones/${id}`);
    await upload('through.bin', randomBytes(20 * MB));
    expect(patches.length).toBeGreaterThan(0);
    expect(pageErrors.join()).toContain('CORS policy');
    pageErrors.length = 0;
    await allowPages(bucket, server.url);
    await page.reload();
    patches.length = 0;
    puts.length = 0;
    await upload('direct.bin', randomBytes(20 * MB));
    expect([puts.length, patches.length]).toEqual([3, 0]);
  } finally {
    // Background requests of the page would fail without the server.
    await page.goto('about:blank');
    await server.stop();
    await bucket.close();
  }
});

/** Sets the rule that `npm run storage -- cors` sets. */
async function allowPages(bucket: S3Server, origin: string): Promise<void> {
  const { credentials } = S3Server;
  const client = new S3Client({ endpoint: bucket.url, credentials, region: 'us-east-1', forcePathStyle: true });
  const rule = { AllowedOrigins: [origin], AllowedMethods: ['PUT', 'GET', 'HEAD'], ExposeHeaders: ['ETag'] };
  const CORSConfiguration = { CORSRules: [{ ...rule, AllowedHeaders: ['*'] }] };
  await client.send(new PutBucketCorsCommand({ Bucket: 'zonary-files', CORSConfiguration }));
  client.destroy();
}
