import type { Schema } from '../../../shared/api/client';
import type { ReaderState } from '../../../shared/files/reader-navigation';
import type { ReaderView } from './use-reader-view';

type StoredFile = Schema<'FileDto'>;

/** What the bar and its menu know of the file that is read. */
export interface ReaderBarProps {
  file: StoredFile | undefined;
  zoneId: number;
  /** The folder in which it lies, for those who did not come from it. */
  backPath: string;
  onBack: () => void;
  state: ReaderState | null;
  position: { page: number; count: number } | null;
  previous: StoredFile | undefined;
  next: StoredFile | undefined;
  view: ReaderView;
}
