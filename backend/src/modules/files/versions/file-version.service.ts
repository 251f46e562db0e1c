import { Injectable } from '@nestjs/common';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { consumeChunks } from '../../../platform/streams/stop-on-shutdown.js';
import { Storage } from '../../../platform/storage/storage.js';
import { fullName } from '../../auth/entities/user.entity.js';
import { ZoneCapacityService } from '../../zones/zone/zone-capacity.service.js';
import type { AccessibleFile } from '../access/file-access.repository.js';
import type { FileVersionDto } from '../dto/version.dto.js';
import { fileErrors } from '../files.errors.js';
import { isInlineSafe } from '../shared/content-type.js';
import { normaliseName } from '../shared/file-name.js';
import { FileReplacementService } from '../upload/file-replacement.service.js';
import { FileSizeLimitService } from '../upload/file-size-limit.service.js';
import type { IncomingFile } from '../upload/upload-form.js';
import { FileVersionRepository, type FileVersionRow } from './file-version.repository.js';

export interface ReplacementRequest {
  readonly userId: number;
  /** Version that the file must still have; null: any. */
  readonly ifVersion: number | null;
  /** Upper bound in bytes for the whole request, from Content-Length if present. */
  readonly contentLength: number | null;
}

/** Manages the versions of files. Callers must be allowed to manage the file. */
@Injectable()
export class FileVersionService {
  constructor(
    private readonly versions: FileVersionRepository,
    private readonly fileReplacement: FileReplacementService,
    private readonly fileSizeLimit: FileSizeLimitService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly storage: Storage,
  ) {}

  /** Lists the contents of a file, newest first; the first one is current. */
  async listVersions(
    { id }: AccessibleFile,
    { limit = LIST_LIMIT, cursor }: ListQueryDto,
  ): Promise<Page<FileVersionDto>> {
    const rows = await this.versions.listVersions(id, limit + 1, cursor);
    const total = cursor || rows.length > limit ? await this.versions.countVersions(id) : rows.length;
    return toPage(rows.map(toVersionDto), limit, total, ({ number }) => [number]);
  }

  /**
   * Replaces the content of a file with the only file of a form.
   * @throws NO_FILES, TOO_MANY_FILES, INVALID_NAME, FILE_CHANGED, FILE_TYPE_DIFFERS, FILE_TOO_LARGE, FILE_NOT_FOUND,
   * STORAGE_UNAVAILABLE; PLAN_LIMIT (ZONE_FULL for everyone but the owner). The file keeps its content then.
   */
  async replaceFile(file: AccessibleFile, request: ReplacementRequest, files: AsyncGenerator<IncomingFile>) {
    const { userId, ifVersion, contentLength } = request;
    const first = await files.next();
    if (first.done) throw fileErrors.NO_FILES();
    const content = {
      maxFileBytes: await this.fileSizeLimit.getLimit(file.ownerId),
      name: normaliseName(first.value.name, 'file'),
      bytes: readSingleFile(first.value, files),
      maxBytes: contentLength,
    };
    const { id: fileId, zoneId, ownerId } = file;
    const target = { fileId, zoneId, ownerId, userId, ifVersion, activity: 'file.replaced' } as const;
    await this.zoneCapacity.translatePlanLimit(ownerId, userId, () =>
      this.fileReplacement.storeAndReplace(target, content),
    );
  }

  /**
   * Returns a file with one of its contents, the current or an earlier one.
   * @throws VERSION_NOT_FOUND
   */
  async findVersion(file: AccessibleFile, number: number): Promise<AccessibleFile> {
    const content = await this.versions.findContent(file.id, number);
    if (!content) throw fileErrors.VERSION_NOT_FOUND();
    const { originalName, mimeType, size, sha256, objectKey } = content;
    return { ...file, originalName, mimeType, size, sha256, objectKey };
  }

  /**
   * Makes a copy of an earlier version the current content, so that the history loses nothing.
   * @throws VERSION_NOT_FOUND; VERSION_IS_CURRENT for the current content; errors of `replaceFile`
   */
  async restoreVersion(file: AccessibleFile, number: number, userId: number): Promise<void> {
    const { id: fileId, zoneId, ownerId } = file;
    const content = await this.versions.findContent(fileId, number);
    if (!content) throw fileErrors.VERSION_NOT_FOUND();
    if (content.isCurrent) throw fileErrors.VERSION_IS_CURRENT();
    const { objectKey, size, sha256 } = content;
    const bytes = readObject(this.storage, objectKey, size);
    // What is stored already may be larger than the plan of today allows.
    const copy = { name: file.originalName, bytes, maxFileBytes: size, maxBytes: size, sha256 };
    const target = { fileId, zoneId, ownerId, userId, ifVersion: null, activity: 'file.version_restored' } as const;
    await this.zoneCapacity.translatePlanLimit(ownerId, userId, () =>
      this.fileReplacement.storeAndReplace(target, copy),
    );
  }
}

/** Opens an object when its first byte is needed. */
async function* readObject(storage: Storage, objectKey: string, size: number): AsyncGenerator<Uint8Array> {
  if (size === 0) return;
  yield* consumeChunks((await storage.read(objectKey)) as AsyncIterable<Uint8Array>);
}

/** Reads a file, and then the form to its end, so that an incomplete form replaces nothing. */
async function* readSingleFile(
  { content }: IncomingFile,
  rest: AsyncGenerator<IncomingFile>,
): AsyncGenerator<Uint8Array> {
  yield* content;
  if (!(await rest.next()).done) throw fileErrors.TOO_MANY_FILES({ allowed: 1 });
}

function toVersionDto(row: FileVersionRow): FileVersionDto {
  const { number, name, mimeType, size, uploadedById, uploadedAt, replacedAt } = row;
  return {
    number,
    isCurrent: replacedAt === null,
    name,
    mimeType,
    size,
    viewable: isInlineSafe(mimeType),
    uploadedBy: uploadedById === null ? null : fullName(row) || row.username,
    uploadedById,
    uploadedAt,
    replacedAt,
  };
}
