import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  UploadPartCommand,
  type PutObjectCommandInput,
  type ServerSideEncryption,
} from '@aws-sdk/client-s3';
import { BucketError } from '../bucket/bucket-call.js';
import { BucketMultipart, nullIfNoUpload } from '../bucket/bucket-multipart.js';
import type { UploadBytes } from '../bucket/bucket-upload.js';
import { nullIfMissing, type CallOptions, type S3Api } from './s3-api.js';

/** What every call that creates an object contains. */
export type ObjectTarget = Pick<
  PutObjectCommandInput,
  'Bucket' | 'Key' | 'ContentType' | 'ServerSideEncryption' | 'SSEKMSKeyId'
>;

export class S3Multipart extends BucketMultipart {
  /** @param limits of the calls that send and complete parts */
  constructor(
    private readonly api: S3Api,
    private readonly target: Pick<ObjectTarget, 'Bucket' | 'Key'>,
    private readonly remoteId: string,
    private readonly limits: CallOptions,
  ) {
    super();
  }

  /**
   * Begins a multipart upload. A repeated call may have begun a second one, which `removeUnfinished` ends.
   * @returns its id
   */
  static async begin(api: S3Api, target: ObjectTarget): Promise<string> {
    const { UploadId } = await api.send('begin', () => new CreateMultipartUploadCommand(target));
    if (!UploadId) throw new BucketError('begin', 200, 'no upload', false);
    return UploadId;
  }

  async send(number: number, bytes: UploadBytes): Promise<string | null> {
    const md5 = createHash('md5').update(bytes).digest();
    const body = { Body: bytes, ContentMD5: md5.toString('base64') };
    const create = () => new UploadPartCommand({ ...this.upload, ...body, PartNumber: number });
    const stored = await nullIfNoUpload(this.api.send('part', create, this.limits));
    if (!stored) return null;
    assertIntact(stored, md5);
    if (!stored.ETag) throw new BucketError('part', 200, 'no ETag', false);
    return stored.ETag;
  }

  async abort(patience?: number): Promise<void> {
    const create = () => new AbortMultipartUploadCommand(this.upload);
    const aborting =
      patience === undefined ? this.api.send('abort', create) : this.api.sendOnce('abort', create(), { patience });
    await this.api.nullIfUnsupported(nullIfMissing(aborting));
  }

  protected async completeParts(etags: readonly string[]): Promise<void> {
    const Parts = etags.map((ETag, index) => ({ PartNumber: index + 1, ETag }));
    const create = () => new CompleteMultipartUploadCommand({ ...this.upload, MultipartUpload: { Parts } });
    await this.api.send('complete', create, this.limits);
  }

  protected async readSize(): Promise<number | null> {
    const { Bucket, Key } = this.target;
    const found = await nullIfMissing(this.api.send('stat', () => new HeadObjectCommand({ Bucket, Key })));
    return found?.ContentLength ?? null;
  }

  private get upload() {
    const { Bucket, Key } = this.target;
    return { Bucket, Key, UploadId: this.remoteId };
  }
}

/** Checks that the service has stored what was sent. ETags are MD5 digests unless the service encrypts by KMS. */
export function assertIntact(
  stored: { readonly ETag?: string; readonly ServerSideEncryption?: ServerSideEncryption },
  md5: Buffer,
): void {
  const isDigest = stored.ServerSideEncryption === undefined || stored.ServerSideEncryption === 'AES256';
  const etag = stored.ETag?.replace(/"/g, '') ?? '';
  if (isDigest && /^[0-9a-f]{32}$/.test(etag) && etag !== md5.toString('hex')) {
    throw new BucketError('upload', 200, 'other bytes', false);
  }
}
