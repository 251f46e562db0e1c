import type { Schema } from '../../../shared/api/client';
import type { ReaderState } from '../../../shared/files/reader-navigation';
import type { ReaderView } from './use-reader-view';

type StoredFile = Schema<'FileDto'>;

/** Props shared by the bar and its menu. */
export interface ReaderBarProps {
  file: StoredFile | undefined;
  zoneId: number;
  /** URL of the file's folder, for readers who didn't come from it. */
  backPath: string;
  onBack: () => void;
  state: ReaderState | null;
  position: { page: number; count: number } | null;
  previous: StoredFile | undefined;
  next: StoredFile | undefined;
  view: ReaderView;
}
