import { browserStorage } from '../../../../shared/preferences/browser-storage';
import { isSameFile, isSameTarget, type FileMetadata, type UploadItem, type UploadTarget } from './upload-item';

const STORAGE_KEY = 'uploads';
/** More than anybody sends in a day; the oldest are forgotten first. */
const MAX_REMEMBERED = 500;

/** An upload that the server has begun, and what its file looks like: enough to go on after the page was loaded anew. */
export interface RememberedUpload {
  /** Where it is resumed. */
  readonly url: string;
  /** Whose it is: several people may use one browser. */
  readonly userId: number;
  readonly target: UploadTarget;
  readonly rename: boolean;
  readonly file: FileMetadata;
  /** Was cancelled while the server could not be told. */
  readonly dropped?: boolean;
}

/** The unfinished uploads of this browser, kept over reloads. */
export const uploadStorage = {
  list(userId: number): RememberedUpload[] {
    return read().filter((one) => one.userId === userId);
  },

  /** The address at which this file can be resumed; null when it was not begun here. */
  findUrl(userId: number, { file, target, rename }: Pick<UploadItem, 'file' | 'target' | 'rename'>): string | null {
    const found = this.list(userId).find(
      (one) => !one.dropped && one.rename === rename && isSameTarget(one.target, target) && isSameFile(one.file, file),
    );
    return found?.url ?? null;
  },

  add(url: string, userId: number, { file, target, rename }: UploadItem): void {
    const { name, size, type, lastModified } = file;
    const one: RememberedUpload = { url, userId, target, rename, file: { name, size, type, lastModified } };
    write([...read().filter((known) => known.url !== url), one].slice(-MAX_REMEMBERED));
  },

  markDiscarded(url: string): void {
    write(read().map((one) => (one.url === url ? { ...one, dropped: true } : one)));
  },

  remove(url: string): void {
    write(read().filter((one) => one.url !== url));
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

/** What another version of the page has left is not taken on trust. */
function isRememberedUpload(value: unknown): value is RememberedUpload {
  const { url, userId, target, file } = (value ?? {}) as Partial<RememberedUpload>;
  return typeof url === 'string' && typeof userId === 'number' && target != null && typeof file?.name === 'string';
}
