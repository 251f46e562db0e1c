import { Injectable } from '@nestjs/common';
import type { StorageType } from '../storage.js';

/** Knows which objects the database rows of a module reference. */
export interface ObjectReferences {
  /** Returns the keys that a row references. */
  findReferenced(keys: readonly string[]): Promise<readonly string[]>;
  /** Whether any row references an object of the current storage. */
  hasReferences(): Promise<boolean>;
  /** Returns the SHA-256, in lower-case hex, of the objects whose rows record it, by key. */
  findHashes?(keys: readonly string[]): Promise<Map<string, string>>;
  /** Changes the recorded type of the storage of all objects. Can be repeated. */
  changeStorageType?(from: StorageType, to: StorageType): Promise<void>;
}

/** Registry of modules whose rows reference objects; they add themselves in their constructors. */
@Injectable()
export class ReferencedObjects {
  private readonly sources: ObjectReferences[] = [];

  add(names: ObjectReferences): void {
    this.sources.push(names);
  }

  /** Returns the keys that a row of any module references. */
  async findReferenced(keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    return new Set((await Promise.all(this.sources.map((source) => source.findReferenced(keys)))).flat());
  }

  /** Returns the recorded SHA-256 of objects, by key. */
  async findHashes(keys: readonly string[]): Promise<Map<string, string>> {
    const found = await Promise.all(
      this.sources.map((source) => source.findHashes?.(keys) ?? new Map<string, string>()),
    );
    return new Map(found.flatMap((hashes) => [...hashes]));
  }

  /** Changes the recorded type of the storage in the rows of all modules. */
  async changeStorageType(from: StorageType, to: StorageType): Promise<void> {
    for (const source of this.sources) await source.changeStorageType?.(from, to);
  }

  async hasAny(): Promise<boolean> {
    for (const source of this.sources) if (await source.hasReferences()) return true;
    return false;
  }
}
