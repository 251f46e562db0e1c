import { Injectable } from '@nestjs/common';
import { ReferencedObjects, type ObjectReferences } from '../../../../platform/storage/ownership/referenced-objects.js';
import { Storage, type StorageType } from '../../../../platform/storage/storage.js';
import { ObjectReferenceRepository } from './object-reference.repository.js';

/** Reports the objects referenced by files, versions, thumbnails, pages and uploads in progress. */
@Injectable()
export class FileObjectReferences implements ObjectReferences {
  constructor(
    private readonly references: ObjectReferenceRepository,
    private readonly storage: Storage,
    names: ReferencedObjects,
  ) {
    names.add(this);
  }

  /** Returns those of the keys that a file, version, upload, thumbnail or page still references. */
  findReferenced(keys: readonly string[]): Promise<string[]> {
    return this.references.findReferenced(keys);
  }

  /** Whether any file or version is stored in the current storage. */
  hasReferences(): Promise<boolean> {
    return this.references.hasFiles(this.storage.types);
  }

  findHashes(keys: readonly string[]): Promise<Map<string, string>> {
    return this.references.findHashes(keys);
  }

  changeStorageType(from: StorageType, to: StorageType): Promise<void> {
    return this.references.changeStorageType(from, to);
  }
}
