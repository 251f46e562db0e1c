import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import S3rver from 's3rver';

/** A small S3 server (s3rver) of one suite, with a bucket on disk. It lacks the calls that end and list uploads. */
export class S3Server {
  /** Accepted for every request; in the environment `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. */
  static readonly credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

  private constructor(
    private readonly server: Server,
    readonly folder: string,
  ) {}

  static async start(bucket: string): Promise<S3Server> {
    const directory = mkdtempSync(join(tmpdir(), 'zonary-s3-'));
    const s3rver = new S3rver({ silent: true, directory, configureBuckets: [{ name: bucket, configs: [] }] });
    await s3rver.configureBuckets();
    const server = createServer(s3rver.callback() as RequestListener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new S3Server(server, directory);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Path of the file with an object's bytes; its time is that of the object. */
  objectPath(bucket: string, name: string): string {
    return join(this.folder, bucket, `${name}._S3rver_object`);
  }

  async createBucket(name: string): Promise<void> {
    const { credentials } = S3Server;
    const client = new S3Client({ endpoint: this.url, credentials, region: 'us-east-1', forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: name }));
    client.destroy();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
