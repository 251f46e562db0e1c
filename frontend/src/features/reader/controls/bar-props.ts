import type { Schema } from '../../../shared/api/client';
import type { ReadingState } from '../../../shared/files/reading';
import type { View } from './use-view';

type StoredFile = Schema<'FileDto'>;

/** What the bar and its menu know of the file that is read. */
export interface BarProps {
  file: StoredFile | undefined;
  zoneId: number;
  /** The folder in which it lies, for those who did not come from it. */
  place: string;
  onBack: () => void;
  state: ReadingState | null;
  position: { page: number; count: number } | null;
  previous: StoredFile | undefined;
  next: StoredFile | undefined;
  view: View;
}
