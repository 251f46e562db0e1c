import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';

/** Whose data it is. */
export interface Person {
  readonly id: number;
  readonly email: string;
}

/** Somebody who deleted the account. By the same address they may have come back since, as another person. */
export interface ErasedPerson extends Person {
  readonly requestedAt: Date;
}

/** Rows of any number, one after the other. */
export type Rows = AsyncIterable<object>;

/** `again` when others (jobs of the module) are still at it, and the module wants to be asked later. */
export type ErasureState = 'done' | 'again';

/** What a module holds of people: it gives it out, and it removes it. */
export interface PersonalData {
  /** Sections of the export by their names. The rows are read while they are sent, with the given entity manager. */
  sections?(em: EntityManager, person: Person): Record<string, Rows>;

  /**
   * Removes what the module holds of somebody whose account is gone, in transactions of its own. Called again after a
   * crash, or twice at once: doing it again must do no harm. What goes with the person's row needs no erasing.
   * @param signal aborted when the worker stops: leave off then
   */
  erase?(person: ErasedPerson, signal: AbortSignal): Promise<ErasureState>;
}

/** Where every module that holds something of people takes part in export and deletion. */
@Injectable()
export class PersonalDataPort {
  private readonly holders: PersonalData[] = [];

  /** Called once by each holder when it starts. */
  register(holder: PersonalData): void {
    this.holders.push(holder);
  }

  /** All sections of the export, in the order of the modules. */
  *sections(em: EntityManager, person: Person): Generator<[name: string, rows: Rows]> {
    for (const holder of this.holders) yield* Object.entries(holder.sections?.(em, person) ?? {});
  }

  /** Lets every module erase; `again` when one of them is not at its end. */
  async erase(person: ErasedPerson, signal: AbortSignal): Promise<ErasureState> {
    let state: ErasureState = 'done';
    for (const holder of this.holders) {
      signal.throwIfAborted();
      if ((await holder.erase?.(person, signal)) === 'again') state = 'again';
    }
    return state;
  }
}

const BATCH = 500;

/**
 * Reads rows in batches, so that memory does not grow with their number.
 * @param fetch the next rows, up to `limit`, after the given one; null asks for the first
 */
export async function* inBatches<T extends object>(
  fetch: (last: T | null, limit: number) => Promise<T[]>,
): AsyncGenerator<T> {
  for (let last: T | null = null, full = true; full;) {
    const rows: T[] = await fetch(last, BATCH);
    yield* rows;
    last = rows.at(-1) ?? null;
    full = rows.length === BATCH;
  }
}
