import type { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import { after } from '../../../platform/clock/clock.js';
import { RESUMABLE_FOR, type ResumableState } from './open-upload.js';
import type { ResumableUploads } from './resumable-uploads.service.js';
import { wishOf } from './tus-metadata.js';

/** What of the protocol is understood beside its core. */
export const TUS_EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration'];

/** The uploads of one person, as the protocol sees them, for the time of one request. */
export class TusStore extends DataStore {
  override extensions = TUS_EXTENSIONS;
  /** The upload of this request, as far as it is known. */
  state: ResumableState | null = null;
  /** True when this request has begun it. */
  begun = false;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly uploads: ResumableUploads,
    private readonly userId: number,
  ) {
    super();
  }

  override async create(upload: Upload): Promise<Upload> {
    this.state = await this.uploads.begin(this.userId, await wishOf(upload));
    this.begun = true;
    return shown(this.state, upload);
  }

  override async getUpload(id: string): Promise<Upload> {
    this.state = await this.uploads.find(id, this.userId);
    return shown(this.state, new Upload({ id, offset: 0 }));
  }

  override async write(stream: Readable): Promise<number> {
    const writing = this.uploads.receive(this.state!, stream);
    this.writing = writing.catch(() => undefined);
    this.state = await writing;
    return this.state.received;
  }

  override remove(id: string): Promise<void> {
    return this.uploads.discard(id, this.userId);
  }

  override getExpiration(): number {
    return RESUMABLE_FOR;
  }

  /** Resolves when nothing is being written any more: a stream that breaks off does not wait for what is stored of it. */
  async idle(): Promise<void> {
    await this.writing;
  }
}

function shown({ id, length, received, name, zoneId, folderId, rename, expiresAt }: ResumableState, upload: Upload) {
  return Object.assign(upload, {
    id,
    size: length,
    offset: received,
    // The protocol reckons from the beginning; an upload lives on with every part that comes.
    creation_date: after(expiresAt, -RESUMABLE_FOR).toISOString(),
    metadata: {
      filename: name,
      zoneId: String(zoneId),
      ...(folderId === null ? {} : { folderId: String(folderId) }),
      ...(rename ? { onConflict: 'rename' } : {}),
    },
  });
}
