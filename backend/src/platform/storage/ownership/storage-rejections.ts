import { MARK_OBJECT_NAME } from './storage-mark.js';

/** The state of the storage: `own`, or why nothing may be written to it. */
export type StorageState =
  | { readonly kind: 'own' }
  | { readonly kind: 'missing' | 'foreign' | 'later' | 'in-use' | 'unreachable'; readonly sentence: string };

const COPY_ADVICE = 'A copy needs a STORAGE_URL of its own with a copy of the contents. ';
const ADOPT_COMMAND = 'npm run installation -- adopt-storage';

/** Messages about a storage that must not be written to, and what to do. */
export class StorageRejections {
  /** @param getAddress returns the location of the storage */
  constructor(private readonly getAddress: () => string) {}

  foreign(theirs: string, ours: string): StorageState {
    const sentence =
      `The storage (${this.address}) belongs to another installation: its object ${MARK_OBJECT_NAME} contains ${theirs}, this installation is ${ours}. ` +
      'Two installations on one storage would delete each other’s files. Use a separate STORAGE_URL for this one. A copy of an installation needs a copy of the files. ' +
      `If the files were moved here permanently and nothing else uses them: ${ADOPT_COMMAND}`;
    return { kind: 'foreign', sentence };
  }

  later(): StorageState {
    const sentence =
      `The storage (${this.address}) has since been used by a later state of this installation. This database is an older copy of it. ` +
      COPY_ADVICE +
      `If you restored this database on purpose and the other one no longer exists: ${ADOPT_COMMAND}`;
    return { kind: 'later', sentence };
  }

  /** @param until when the other installation counts as stopped, judging by its last heartbeat */
  inUse(until: Date): StorageState {
    const sentence =
      `Another installation is using this storage now (${this.address}): either a copy of this one or its original. ` +
      COPY_ADVICE +
      `If the other one has been stopped permanently, start this one again after ${until.toISOString()}, three minutes after the last heartbeat of the other one. ` +
      `To use the storage for this one, stop the other one, then run: ${ADOPT_COMMAND}`;
    return { kind: 'in-use', sentence };
  }

  missing(): StorageState {
    const sentence =
      `The storage (${this.address}) is not the one of this installation: its object ${MARK_OBJECT_NAME} is not there. ` +
      'Check that the disk is mounted and that STORAGE_URL is the same as before. Nothing is stored until then. ' +
      `If the files were moved here, or are permanently lost: ${ADOPT_COMMAND}`;
    return { kind: 'missing', sentence };
  }

  halfRestored(): StorageState {
    const sentence =
      `A restore into this installation (${this.address}) is still running or was broken off. Wait for it to finish, or run it again to resume it. ` +
      `If you no longer need it, delete the restored files, then run: ${ADOPT_COMMAND}`;
    return { kind: 'missing', sentence };
  }

  unknownObjects(): StorageState {
    const sentence =
      `The storage (${this.address}) contains objects that are unknown to this installation. Set STORAGE_URL to an empty storage. ` +
      `If the files were moved here for this installation: ${ADOPT_COMMAND}`;
    return { kind: 'foreign', sentence };
  }

  unreachable(): StorageState {
    return { kind: 'unreachable', sentence: `Couldn't reach the storage (${this.address}).` };
  }

  private get address(): string {
    return this.getAddress();
  }
}
