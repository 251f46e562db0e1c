import type { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import { addMilliseconds } from '../../../../platform/clock/clock.js';
import { freezeList } from '../../../../platform/constants/freeze-list.js';
import { validationPipe } from '../../../../platform/http/parsing/validation.js';
import { consumeChunks } from '../../../../platform/streams/stop-on-shutdown.js';
import { UploadMetadata } from '../../dto/upload.dto.js';
import { fileErrors } from '../../files.errors.js';
import { RESUMABLE_LIFETIME, type NewUpload, type ResumableState } from './resumable-upload.policy.js';
import type { ResumableUploadService } from './resumable-upload.service.js';

/** Supported protocol extensions. */
export const TUS_EXTENSIONS = freezeList(['creation', 'creation-with-upload', 'termination', 'expiration']);

const metadataRules = validationPipe();

/** The uploads of one user as the tus library sees them, during one request. */
export class TusStore extends DataStore {
  override extensions = [...TUS_EXTENSIONS];
  /** The upload of this request, once known. */
  state: ResumableState | null = null;
  /** True if this request created the upload. */
  isCreated = false;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly resumableUpload: ResumableUploadService,
    private readonly userId: number,
  ) {
    super();
  }

  override async create(upload: Upload): Promise<Upload> {
    const created = await this.resumableUpload.createUpload(this.userId, await toNewUpload(upload));
    this.state = created;
    this.isCreated = true;
    // An empty file is complete immediately.
    if (created.length === 0) this.state = await this.resumableUpload.receiveBytes(created, emptyStream());
    return toTusUpload(this.state, upload);
  }

  override async getUpload(id: string): Promise<Upload> {
    if (!this.isCreated) this.state = await this.resumableUpload.findUpload(id, this.userId);
    return toTusUpload(this.state!, new Upload({ id, offset: 0 }));
  }

  override async write(stream: Readable): Promise<number> {
    const writing = this.resumableUpload.receiveBytes(this.state!, consumeChunks(stream));
    this.writing = writing.catch(() => undefined);
    this.state = await writing;
    return this.state.received;
  }

  override remove(id: string): Promise<void> {
    return this.resumableUpload.deleteUpload(id, this.userId);
  }

  override getExpiration(): number {
    return RESUMABLE_LIFETIME;
  }

  /** Resolves once no write is in progress: when a stream aborts, its bytes may still be being stored. */
  async waitUntilIdle(): Promise<void> {
    await this.writing;
  }
}

function toTusUpload(
  { id, length, received, name, zoneId, folderId, onConflict, replaces, ifVersion, expiresAt }: ResumableState,
  upload: Upload,
) {
  return Object.assign(upload, {
    id,
    size: length,
    offset: received,
    // The protocol computes the expiry from the creation date, but ours is extended with every received part.
    creation_date: addMilliseconds(expiresAt, -RESUMABLE_LIFETIME).toISOString(),
    metadata: {
      filename: name,
      zoneId: String(zoneId),
      ...(folderId === null ? {} : { folderId: String(folderId) }),
      ...(onConflict === 'refuse' ? {} : { onConflict }),
      ...(replaces === null ? {} : { replaces: String(replaces) }),
      ...(ifVersion === null ? {} : { ifVersion: String(ifVersion) }),
    },
  });
}

/**
 * Converts the client's metadata.
 * @throws VALIDATION_FAILED
 */
async function toNewUpload({ id, size, metadata }: Upload): Promise<NewUpload> {
  if (size === undefined) throw fileErrors.UPLOAD_LENGTH_REQUIRED();
  const { filename, zoneId, folderId, onConflict, replaces, ifVersion } = metadata ?? {};
  const known = { filename, zoneId, folderId, onConflict, replaces, ifVersion };
  const provided = Object.entries(known).filter(([, value]) => value != null);
  const type = { type: 'body', metatype: UploadMetadata } as const;
  const announced = (await metadataRules.transform(Object.fromEntries(provided), type)) as UploadMetadata;
  return {
    id,
    length: size,
    name: announced.filename,
    zoneId: announced.zoneId,
    folderId: announced.folderId ?? null,
    onConflict: announced.onConflict ?? 'refuse',
    replaces: announced.replaces ?? null,
    ifVersion: announced.ifVersion ?? null,
  };
}

async function* emptyStream(): AsyncGenerator<Uint8Array> {}
