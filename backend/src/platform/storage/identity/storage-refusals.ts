import { MARK } from './storage-mark.js';

/** Whose the storage is: `own`, or why nothing may be written to it. */
export type StorageState =
  | { readonly kind: 'own' }
  | { readonly kind: 'missing' | 'foreign' | 'later' | 'in-use' | 'unreachable'; readonly sentence: string };

const COPIES_NEED = 'A copy needs a STORAGE_URL of its own with a copy of the contents. ';
const ADOPT = 'npm run installation -- adopt-storage';

/** What is said of a storage in which nothing may be stored, and what to do. */
export class StorageRefusals {
  /** @param address where the storage is */
  constructor(private readonly address: string) {}

  foreign(theirs: string, ours: string): StorageState {
    const sentence =
      `The storage (${this.address}) belongs to another installation: its object ${MARK} names ${theirs}, this one is ${ours}. ` +
      'Two installations on one storage would remove each other’s files. Give this one a STORAGE_URL of its own; a copy needs a copy of the contents. ' +
      `If the contents were moved here for good, and nobody else uses them: ${ADOPT}`;
    return { kind: 'foreign', sentence };
  }

  later(): StorageState {
    const sentence =
      `The storage (${this.address}) has been used since by a later state of this installation: this database is an older copy of it. ` +
      COPIES_NEED +
      `If this database was put back on purpose, and the other one is gone for good: ${ADOPT}`;
    return { kind: 'later', sentence };
  }

  /** @param until when the other one counts as ended, by the last sign of life that it left */
  inUse(until: Date): StorageState {
    const sentence =
      `Another installation is using this storage now (${this.address}): a copy of this one, or the one of which this is a copy. ` +
      COPIES_NEED +
      `If the other one has been ended for good, start this one again after ${until.toISOString()}, three minutes after the last sign of life that it left. ` +
      `If this one is to have the storage, end the other one, and then: ${ADOPT}`;
    return { kind: 'in-use', sentence };
  }

  missing(): StorageState {
    const sentence =
      `The storage (${this.address}) is not the one of this installation: its object ${MARK} is not there. ` +
      'Is the disk mounted, and does STORAGE_URL name the same place as before? Nothing is stored until it is back. ' +
      `If the contents were moved here, or are lost for good: ${ADOPT}`;
    return { kind: 'missing', sentence };
  }

  halfRestored(): StorageState {
    const sentence =
      `A restore into this installation (${this.address}) has not ended, or was broken off. Wait for its end, or run it again: it goes on by itself. ` +
      `If it is not wanted any more, remove the contents that it brought, and then: ${ADOPT}`;
    return { kind: 'missing', sentence };
  }

  unknownObjects(): StorageState {
    const sentence =
      `The storage (${this.address}) holds objects of which this installation knows none. Give it a STORAGE_URL that is empty. ` +
      `If the contents were moved here for this installation: ${ADOPT}`;
    return { kind: 'foreign', sentence };
  }

  unreachable(): StorageState {
    return { kind: 'unreachable', sentence: `The storage (${this.address}) cannot be reached at the moment.` };
  }
}
