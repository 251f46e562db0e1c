import { browserStorage } from '../../../../shared/preferences/browser-storage';
import type { UploadTarget } from '../sending/upload-item';

const STORAGE_KEY = 'folder-uploads';
/** The oldest are dropped first. */
const MAX_REMEMBERED = 20;

/** The upload of a folder that has not finished: enough to ask for the folder again after a page reload. */
export interface RememberedFolder {
  readonly id: string;
  /** Its user: several people may use one browser. */
  readonly userId: number;
  /** Where the folder is created. */
  readonly target: UploadTarget;
  readonly name: string;
  /** Bytes of all files. */
  readonly size: number;
}

/** The unfinished folder uploads of this browser; they survive page reloads. */
export const folderUploadStorage = {
  list: (userId: number): RememberedFolder[] => read().filter((folder) => folder.userId === userId),

  add(folder: RememberedFolder): void {
    write([...read(), folder].slice(-MAX_REMEMBERED));
  },

  remove(id: string): void {
    write(read().filter((folder) => folder.id !== id));
  },
};

function read(): RememberedFolder[] {
  try {
    const list: unknown = JSON.parse(browserStorage.get(STORAGE_KEY) ?? '[]');
    return Array.isArray(list) ? list.filter(isRememberedFolder) : [];
  } catch {
    return [];
  }
}

const write = (list: readonly RememberedFolder[]) => browserStorage.set(STORAGE_KEY, JSON.stringify(list));

/** Validates stored data, which another version of the page may have written. */
function isRememberedFolder(value: unknown): value is RememberedFolder {
  const { id, userId, target, name, size } = (value ?? {}) as Partial<RememberedFolder>;
  const areTextsValid = typeof id === 'string' && typeof name === 'string';
  return areTextsValid && typeof userId === 'number' && typeof size === 'number' && target != null;
}
