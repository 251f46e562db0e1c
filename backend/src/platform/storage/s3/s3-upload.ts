import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
  type PutObjectCommandInput,
  type ServerSideEncryption,
} from '@aws-sdk/client-s3';
import { BucketError, type BucketTimeouts } from '../bucket/bucket-call.js';
import { BucketUpload, type UploadBytes } from '../bucket/bucket-upload.js';
import { nullIfMissing, type CallOptions, type S3Api } from './s3-api.js';

/** Size of an upload part: 10,000 of them, the most there may be, hold 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;

/** What every call that creates an object contains. */
export type ObjectTarget = Pick<
  PutObjectCommandInput,
  'Bucket' | 'Key' | 'ContentType' | 'ServerSideEncryption' | 'SSEKMSKeyId'
>;

/** An upload of one object; in parts it is a multipart upload. */
export class S3Upload extends BucketUpload {
  private size = 0;
  private uploadId = '';
  private readonly parts: CompletedPart[] = [];

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

  /** A repeated call may have created a second upload, which `removeUnfinished` ends. */
  protected async start(): Promise<void> {
    const { UploadId } = await this.api.send('begin', () => new CreateMultipartUploadCommand(this.target));
    if (!UploadId) throw new BucketError('begin', 200, 'no upload', false);
    this.uploadId = UploadId;
  }

  protected async sendPart(bytes: UploadBytes): Promise<void> {
    const PartNumber = this.parts.length + 1;
    const md5 = createHash('md5').update(bytes).digest();
    const body = { Body: bytes, ContentMD5: md5.toString('base64') };
    const create = () => new UploadPartCommand({ ...this.upload, ...body, PartNumber });
    const stored = await this.api.send('part', create, this.limits);
    assertIntact(stored, md5);
    this.parts.push({ PartNumber, ETag: stored.ETag });
  }

  protected async sendLast(bytes: UploadBytes): Promise<void> {
    await this.sendPart(bytes);
    const create = () => new CompleteMultipartUploadCommand({ ...this.upload, MultipartUpload: { Parts: this.parts } });
    try {
      await this.api.send('complete', create, this.limits);
    } catch (error) {
      // If only the response was lost, a repeated call finds no upload, but the object exists.
      if (!(await this.isStored().catch(() => false))) throw error;
      return;
    }
    if (!(await this.isStored())) throw new BucketError('complete', 200, 'other bytes', false);
  }

  protected async discardParts(patience: number): Promise<void> {
    await nullIfMissing(this.api.sendOnce('abort', new AbortMultipartUploadCommand(this.upload), { patience }));
  }

  private get limits(): CallOptions {
    return { patience: this.timeouts.part, signal: this.signal };
  }

  private get upload() {
    const { Bucket, Key } = this.target;
    return { Bucket, Key, UploadId: this.uploadId };
  }

  private async isStored(): Promise<boolean> {
    const { Bucket, Key } = this.target;
    const found = await nullIfMissing(this.api.send('stat', () => new HeadObjectCommand({ Bucket, Key })));
    return found?.ContentLength === this.size;
  }
}

/** Checks that the service has stored what was sent. ETags are MD5 digests unless the service encrypts by KMS. */
function assertIntact(
  stored: { readonly ETag?: string; readonly ServerSideEncryption?: ServerSideEncryption },
  md5: Buffer,
): void {
  const isDigest = stored.ServerSideEncryption === undefined || stored.ServerSideEncryption === 'AES256';
  const etag = stored.ETag?.replace(/"/g, '') ?? '';
  if (isDigest && /^[0-9a-f]{32}$/.test(etag) && etag !== md5.toString('hex')) {
    throw new BucketError('upload', 200, 'other bytes', false);
  }
}
