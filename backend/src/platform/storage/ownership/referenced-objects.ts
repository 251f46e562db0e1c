import { Injectable } from '@nestjs/common';

/** Knows which objects the database rows of a module reference. */
export interface ObjectReferences {
  /** Returns the keys that a row references. */
  findReferenced(keys: readonly string[]): Promise<readonly string[]>;
  /** Whether any row references an object of the current storage. */
  hasReferences(): Promise<boolean>;
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

  async hasAny(): Promise<boolean> {
    for (const source of this.sources) if (await source.hasReferences()) return true;
    return false;
  }
}
