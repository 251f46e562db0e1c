import type { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetBucketCorsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type CORSRule,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  type ListObjectsV2CommandOutput,
  type S3ClientConfig,
  type _Object as ListedObject,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { Logger } from '@nestjs/common';
import { streamBody } from '../bucket/bucket-body.js';
import { BucketError, raceWithAbort, withStorageErrors, type BucketTimeouts } from '../bucket/bucket-call.js';
import type { ListedMultipart } from '../bucket/bucket-multipart.js';
import { BucketStorage } from '../bucket/bucket-storage.js';
import { MARK_OBJECT_NAME } from '../ownership/storage-mark.js';
import type { Multipart } from '../multipart.js';
import { storageErrors } from '../storage.errors.js';
import { assertPrefix, type ByteRange, type ObjectInfo, type SignedPart, type SignedUrlOptions } from '../storage.js';
import { nullIfMissing, S3Api } from './s3-api.js';
import { parseS3Location, type S3Location } from './s3-location.js';
import { S3Multipart, type ObjectTarget } from './s3-multipart.js';
import { S3Upload } from './s3-upload.js';

/** Objects per list page, the maximum of the API. */
const LIST_PAGE_SIZE = 1000;
/** Objects up to this size are copied by a single call, larger ones in parts of this size. The API allows 5 GB. */
const COPY_BYTES = 512 * 1024 * 1024;
/** How long a call that copies may take, in milliseconds. */
const COPY_TIMEOUT = 120_000;

/** How long browsers may remember that the bucket accepts their requests. */
const PREFLIGHT_SECONDS = 3600;

const logger = new Logger('Storage');

export interface S3Options {
  /** `s3://bucket/prefix?…` (`parseS3Location`). */
  readonly url: string;
  /** Overrides of the SDK's configuration; by default it uses the credentials of this machine. */
  readonly client?: S3ClientConfig;
  readonly timeouts?: BucketTimeouts;
  readonly listPageSize?: number;
  readonly copyBytes?: number;
}

/** Stores objects in a bucket of Amazon S3 or of a compatible service, under an optional prefix. */
export class S3Storage extends BucketStorage {
  readonly type = 's3';
  private readonly location: S3Location;
  private readonly api: S3Api;
  private readonly listPageSize: number;
  private readonly copyBytes: number;

  constructor({ url, client, timeouts, listPageSize = LIST_PAGE_SIZE, copyBytes = COPY_BYTES }: S3Options) {
    const location = parseS3Location(url);
    super(location.prefix, timeouts);
    this.location = location;
    this.api = new S3Api(location, this.timeouts, client);
    this.listPageSize = listPageSize;
    this.copyBytes = copyBytes;
  }

  async readMark(): Promise<string | null> {
    const create = () => new GetObjectCommand(this.nameObject(this.markName));
    return withStorageErrors(async () => {
      const found = await nullIfMissing(this.api.send('mark', create));
      return (await found?.Body?.transformToString()) ?? null;
    });
  }

  async writeMark(text: string, first: boolean): Promise<void> {
    // Some services ignore the condition of the call, so it is checked before as well.
    if (first && (await this.readMark()) !== null) return;
    const condition = first ? { IfNoneMatch: '*' } : {};
    const create = () => new PutObjectCommand({ ...this.targetOf(this.markName), Body: text, ...condition });
    await withStorageErrors(async () => {
      try {
        await this.api.send('write mark', create);
      } catch (error) {
        const isTaken = first && error instanceof BucketError && [409, 412].includes(error.status ?? 0);
        if (!isTaken) throw error;
      }
    });
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const object = this.nameObject(this.objectNameOf(key));
    const part = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
    return withStorageErrors(async () => {
      const response = await this.api.send('read', () => new GetObjectCommand({ ...object, ...part }));
      const body = response.Body as Readable;
      if (range && !isWithin(response.ContentRange, range)) {
        body.destroy();
        throw new BucketError('read', response.$metadata.httpStatusCode ?? null, 'other bytes', false);
      }
      return streamBody(body[Symbol.asyncIterator](), this.timeouts.idle, () => body.destroy());
    });
  }

  async stat(key: string): Promise<ObjectInfo | null> {
    const object = this.nameObject(this.objectNameOf(key));
    const found = await withStorageErrors(() =>
      nullIfMissing(this.api.send('stat', () => new HeadObjectCommand(object))),
    );
    return found && { key, size: found.ContentLength!, modifiedAt: found.LastModified! };
  }

  /** Copied within the bucket; large objects in parts. */
  override async copy(from: string, to: string): Promise<void> {
    const found = await this.stat(from);
    if (!found) throw storageErrors.STORAGE_UNAVAILABLE();
    const [source, target] = [this.objectNameOf(from), this.objectNameOf(to)];
    await withStorageErrors(() =>
      found.size > this.copyBytes ? this.copyParts(source, target, found.size) : this.copyWhole(source, target),
    );
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    assertPrefix(prefix);
    const query = { Bucket: this.location.bucket, Prefix: this.prefix + prefix, MaxKeys: this.listPageSize };
    for (let token: string | undefined = ''; token !== undefined;) {
      const position = token ? { ContinuationToken: token } : {};
      const page: ListObjectsV2CommandOutput = await withStorageErrors(() =>
        this.api.send('list', () => new ListObjectsV2Command({ ...query, ...position })),
      );
      for (const object of page.Contents ?? []) if (object.Key !== this.markName) yield this.toInfo(object);
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    }
  }

  override async signedUrl(
    key: string,
    { disposition, contentType, lifetime }: SignedUrlOptions,
  ): Promise<string | null> {
    if (!this.location.isDirect) return null;
    const command = new GetObjectCommand({
      ...this.nameObject(this.objectNameOf(key)),
      ResponseContentDisposition: disposition,
      ResponseContentType: contentType,
    });
    return (await this.signUrl(command, lifetime))?.url ?? null;
  }

  override get acceptsDirectParts(): boolean {
    return this.location.acceptsDirectParts;
  }

  override async signPart(
    { objectKey, remoteId }: Multipart,
    number: number,
    bytes: number,
    lifetime: number,
  ): Promise<SignedPart | null> {
    if (!this.location.acceptsDirectParts) return null;
    const part = { UploadId: remoteId, PartNumber: number, ContentLength: bytes };
    return this.signUrl(new UploadPartCommand({ ...this.nameObject(this.objectNameOf(objectKey)), ...part }), lifetime);
  }

  /**
   * Lets browsers send parts from pages of this origin.
   * @throws STORAGE_UNAVAILABLE
   */
  async allowOrigin(origin: string): Promise<void> {
    const rule = {
      AllowedOrigins: [origin],
      AllowedMethods: ['GET', 'HEAD', 'PUT'],
      AllowedHeaders: ['*'],
      ExposeHeaders: ['ETag'],
      MaxAgeSeconds: PREFLIGHT_SECONDS,
    };
    const Bucket = this.location.bucket;
    await withStorageErrors(async () => {
      const found = await this.readCorsRules();
      const others = found.filter(({ AllowedOrigins }) => AllowedOrigins?.join() !== origin);
      const input = { Bucket, CORSConfiguration: { CORSRules: [...others, rule] } };
      await this.api.send('set CORS', () => new PutBucketCorsCommand(input));
    });
  }

  protected createMultipart(name: string): Promise<string> {
    return S3Multipart.begin(this.api, this.targetOf(name));
  }

  /** @param patience of the calls that send and complete parts, in milliseconds */
  protected openMultipart(name: string, remoteId: string, patience = this.timeouts.part): S3Multipart {
    return new S3Multipart(this.api, this.nameObject(name), remoteId, { patience });
  }

  protected async *listMultiparts(): AsyncIterable<ListedMultipart> {
    const query = { Bucket: this.location.bucket, Prefix: this.prefix };
    for (let position: object | null = {}; position !== null;) {
      const page = await this.listMultipartPage({ ...query, ...position });
      for (const { Key, UploadId, Initiated } of page?.Uploads ?? [])
        if (Key && UploadId && Initiated) yield { name: Key, remoteId: UploadId, begunAt: Initiated };
      position = page?.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : null;
    }
  }

  protected createUpload(name: string): S3Upload {
    return new S3Upload(this.api, this.targetOf(name), this.timeouts);
  }

  protected async remove(name: string, patience?: number): Promise<void> {
    const create = () => new DeleteObjectCommand(this.nameObject(name));
    await nullIfMissing(
      patience === undefined ? this.api.send('delete', create) : this.api.sendOnce('delete', create(), { patience }),
    );
  }

  private async readCorsRules(): Promise<CORSRule[]> {
    const create = () => new GetBucketCorsCommand({ Bucket: this.location.bucket });
    return (await nullIfMissing(this.api.send('get CORS', create)))?.CORSRules ?? [];
  }

  /** Returns null when the credentials can't sign, or are about to expire. */
  private async signUrl(command: GetObjectCommand | UploadPartCommand, lifetime: number): Promise<SignedPart | null> {
    try {
      const limit = AbortSignal.timeout(this.timeouts.answer);
      const { expiration } = await raceWithAbort(this.api.client.config.credentials(), limit);
      // An address ends with the credentials that signed it.
      const usable = Math.min(lifetime, expiration ? expiration.getTime() - Date.now() : Infinity);
      if (usable < 1000) return null;
      const expiresIn = Math.floor(usable / 1000);
      const expiresAt = new Date(Date.now() + expiresIn * 1000);
      // The two commands share no type that the presigner accepts.
      const url = await getSignedUrl(this.api.client, command as GetObjectCommand, { expiresIn });
      return { url, expiresAt };
    } catch (error) {
      logger.error({ err: error }, "Couldn't sign a bucket URL");
      return null;
    }
  }

  private get markName(): string {
    return this.prefix + MARK_OBJECT_NAME;
  }

  private nameObject(name: string) {
    return { Bucket: this.location.bucket, Key: name };
  }

  private targetOf(name: string): ObjectTarget {
    const { encryption, kmsKey } = this.location;
    return {
      ...this.nameObject(name),
      ContentType: 'application/octet-stream',
      ...(encryption ? { ServerSideEncryption: encryption } : {}),
      ...(kmsKey ? { SSEKMSKeyId: kmsKey } : {}),
    };
  }

  private sourceOf(name: string): string {
    return `${this.location.bucket}/${name}`;
  }

  private async copyWhole(from: string, to: string): Promise<void> {
    const create = () => new CopyObjectCommand({ ...this.targetOf(to), CopySource: this.sourceOf(from) });
    await this.api.send('copy', create, { patience: COPY_TIMEOUT });
  }

  private async copyParts(from: string, to: string, size: number): Promise<void> {
    const remoteId = await S3Multipart.begin(this.api, this.targetOf(to));
    const multipart = this.openMultipart(to, remoteId, COPY_TIMEOUT);
    const upload = { ...this.nameObject(to), UploadId: remoteId };
    try {
      const etags: string[] = [];
      for (let start = 0; start < size; start += this.copyBytes) {
        const CopySourceRange = `bytes=${start}-${Math.min(start + this.copyBytes, size) - 1}`;
        const part = { CopySource: this.sourceOf(from), CopySourceRange, PartNumber: etags.length + 1 };
        const create = () => new UploadPartCopyCommand({ ...upload, ...part });
        const { CopyPartResult } = await this.api.send('copy', create, { patience: COPY_TIMEOUT });
        etags.push(CopyPartResult?.ETag ?? '');
      }
      const isComplete = await multipart.complete(etags, size);
      if (!isComplete) throw new BucketError('complete', null, 'no upload', false);
    } catch (error) {
      await multipart
        .abort()
        .catch((reason: unknown) => logger.warn({ err: reason }, "Couldn't end the copy of an object"));
      throw error;
    }
  }

  /** Returns null when the service has no such list. */
  private listMultipartPage(
    query: ListMultipartUploadsCommandInput,
  ): Promise<ListMultipartUploadsCommandOutput | null> {
    return this.api.nullIfUnsupported(this.api.send('list uploads', () => new ListMultipartUploadsCommand(query)));
  }

  private toInfo({ Key, Size, LastModified }: ListedObject): ObjectInfo {
    return { key: Key!.slice(this.prefix.length), size: Size!, modifiedAt: LastModified! };
  }
}

/** Whether a Content-Range header has the start of the range, and doesn't go beyond its end. */
function isWithin(contentRange: string | undefined, { start, end }: ByteRange): boolean {
  const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(contentRange ?? '') ?? [];
  return Number(first) === start && Number(last) <= end;
}
