import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import S3rver from 's3rver';

/** A small S3 server (s3rver) of one suite, with a bucket on disk. It lacks the calls that end and list uploads. */
export class S3Server {
  /** Accepted for every request; in the environment `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. */
  static readonly credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

  private constructor(
    readonly url: string,
    readonly folder: string,
    private readonly server: S3rver,
  ) {}

  static async start(bucket: string): Promise<S3Server> {
    const folder = mkdtempSync(join(tmpdir(), 'zonary-s3-'));
    const server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: bucket, configs: [] }],
    });
    const { port } = await server.run();
    return new S3Server(`http://127.0.0.1:${port}`, folder, server);
  }

  async createBucket(name: string): Promise<void> {
    const { credentials } = S3Server;
    const client = new S3Client({ endpoint: this.url, credentials, region: 'us-east-1', forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: name }));
    client.destroy();
  }

  async close(): Promise<void> {
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
