import { browserStorage } from '../../../../shared/preferences/browser-storage';
import {
  isSameFile,
  isSameTarget,
  type ConflictChoice,
  type FileMetadata,
  type ReplacedFile,
  type UploadItem,
  type UploadTarget,
} from './upload-item';

const STORAGE_KEY = 'uploads';
/** More than anyone uploads in a day; the oldest are dropped first. */
const MAX_REMEMBERED = 500;

/** An upload that the server has created, with a description of its file: enough to resume after a page reload. */
export interface RememberedUpload {
  /** Where it can be resumed. */
  readonly url: string;
  /** Its user: several people may use one browser. */
  readonly userId: number;
  readonly target: UploadTarget;
  readonly onConflict: ConflictChoice;
  readonly replaces?: ReplacedFile;
  readonly file: FileMetadata;
  /** Cancelled while the server couldn't be reached. */
  readonly dropped?: boolean;
}

/** The unfinished uploads of this browser; they survive page reloads. */
export const uploadStorage = {
  list(userId: number): RememberedUpload[] {
    return read().filter((upload) => upload.userId === userId);
  },

  /** Returns the URL at which this file can be resumed; null if it was not started in this browser. */
  findUrl(
    userId: number,
    { file, target, onConflict, replaces }: Omit<RememberedUpload, 'url' | 'userId'>,
  ): string | null {
    const found = this.list(userId).find(
      (upload) =>
        !upload.dropped &&
        upload.onConflict === onConflict &&
        upload.replaces?.id === replaces?.id &&
        upload.replaces?.version === replaces?.version &&
        isSameTarget(upload.target, target) &&
        isSameFile(upload.file, file),
    );
    return found?.url ?? null;
  },

  add(url: string, userId: number, { file, target, onConflict, replaces }: UploadItem): void {
    const { name, size, type, lastModified } = file;
    const described = { name, size, type, lastModified };
    const one: RememberedUpload = { url, userId, target, onConflict, ...(replaces && { replaces }), file: described };
    write([...read().filter((known) => known.url !== url), one].slice(-MAX_REMEMBERED));
  },

  markDiscarded(url: string): void {
    write(read().map((upload) => (upload.url === url ? { ...upload, dropped: true } : upload)));
  },

  remove(url: string): void {
    write(read().filter((upload) => upload.url !== url));
  },
};

function read(): RememberedUpload[] {
  try {
    const list: unknown = JSON.parse(browserStorage.get(STORAGE_KEY) ?? '[]');
    return Array.isArray(list) ? list.filter(isRememberedUpload) : [];
  } catch {
    return [];
  }
}

const write = (list: readonly RememberedUpload[]) => browserStorage.set(STORAGE_KEY, JSON.stringify(list));

/** Validates stored data, which another version of the page may have written. */
function isRememberedUpload(value: unknown): value is RememberedUpload {
  const { url, userId, target, file, onConflict } = (value ?? {}) as Partial<RememberedUpload>;
  const areTextsValid = typeof url === 'string' && typeof file?.name === 'string' && typeof onConflict === 'string';
  return areTextsValid && typeof userId === 'number' && target != null;
}
