import { Injectable } from '@nestjs/common';

/** Who knows which objects rows of the database name. */
export interface ObjectNames {
  /** Of these keys, those that a row names. */
  namedAmong(keys: readonly string[]): Promise<readonly string[]>;
  /** Whether rows name any object at all of the storage in use. */
  namesAny(): Promise<boolean>;
}

/** Where modules whose rows name objects say so, in their constructors. */
@Injectable()
export class NamedObjects {
  private readonly all: ObjectNames[] = [];

  add(names: ObjectNames): void {
    this.all.push(names);
  }

  /** Of these keys, those that a row of any module names. */
  async among(keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    return new Set((await Promise.all(this.all.map((one) => one.namedAmong(keys)))).flat());
  }

  /** Whether any row names an object. */
  async any(): Promise<boolean> {
    for (const one of this.all) if (await one.namesAny()) return true;
    return false;
  }
}
