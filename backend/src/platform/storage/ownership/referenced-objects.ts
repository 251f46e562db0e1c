import { Injectable } from '@nestjs/common';

/** Who knows which objects rows of the database name. */
export interface ObjectReferences {
  /** Of these keys, those that a row names. */
  findReferenced(keys: readonly string[]): Promise<readonly string[]>;
  /** Whether rows name any object at all of the storage in use. */
  hasReferences(): Promise<boolean>;
}

/** Where modules whose rows name objects say so, in their constructors. */
@Injectable()
export class ReferencedObjects {
  private readonly sources: ObjectReferences[] = [];

  add(names: ObjectReferences): void {
    this.sources.push(names);
  }

  /** Of these keys, those that a row of any module names. */
  async findReferenced(keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    return new Set((await Promise.all(this.sources.map((one) => one.findReferenced(keys)))).flat());
  }

  /** Whether any row names an object. */
  async hasAny(): Promise<boolean> {
    for (const one of this.sources) if (await one.hasReferences()) return true;
    return false;
  }
}
