import { createHash } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { BucketError, type BucketTimeouts } from '../bucket/bucket-call.js';
import { BucketUpload, type UploadBytes } from '../bucket/bucket-upload.js';
import type { CallOptions, S3Api } from './s3-api.js';
import { assertIntact, S3Multipart, type ObjectTarget } from './s3-multipart.js';

/** Size of an upload part: 10,000 of them, the most there may be, hold 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;

/** An upload of one object; in parts it is a multipart upload. */
export class S3Upload extends BucketUpload {
  private size = 0;
  private multipart!: S3Multipart;
  private readonly etags: string[] = [];

  constructor(
    private readonly api: S3Api,
    private readonly target: ObjectTarget,
    private readonly timeouts: BucketTimeouts,
  ) {
    super(PART_BYTES);
  }

  override push(chunk: Uint8Array): Promise<void> {
    this.size += chunk.byteLength;
    return super.push(chunk);
  }

  protected async sendWhole(bytes: UploadBytes): Promise<void> {
    const md5 = createHash('md5').update(bytes).digest();
    const body = { Body: bytes, ContentMD5: md5.toString('base64') };
    const stored = await this.api.send('upload', () => new PutObjectCommand({ ...this.target, ...body }), this.limits);
    assertIntact(stored, md5);
  }

  protected async start(): Promise<void> {
    const remoteId = await S3Multipart.begin(this.api, this.target);
    this.multipart = new S3Multipart(this.api, this.target, remoteId, this.limits);
  }

  protected async sendPart(bytes: UploadBytes): Promise<void> {
    const etag = await this.multipart.send(this.etags.length + 1, bytes);
    if (etag === null) throw new BucketError('part', 404, 'no upload', false);
    this.etags.push(etag);
  }

  protected async sendLast(bytes: UploadBytes): Promise<void> {
    await this.sendPart(bytes);
    const isComplete = await this.multipart.complete(this.etags, this.size);
    if (!isComplete) throw new BucketError('complete', null, 'no upload', false);
  }

  protected discardParts(patience: number): Promise<void> {
    return this.multipart.abort(patience);
  }

  private get limits(): CallOptions {
    return { patience: this.timeouts.part, signal: this.signal };
  }
}
