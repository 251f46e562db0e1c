import type { ReaderFile } from '../source/reader-source';
import type { ReaderView } from './use-reader-view';

/** Props shared by the bar and its menu. */
export interface ReaderBarProps {
  file: ReaderFile | undefined;
  /** URL of the file's folder, for readers who didn't come from it. Undefined if the file is all they may see. */
  backPath: string | undefined;
  onBack: (() => void) | undefined;
  /** History state that links to other files pass on. */
  state: unknown;
  position: { page: number; count: number } | null;
  /** URLs of the previous and next file. */
  previousUrl: string | undefined;
  nextUrl: string | undefined;
  view: ReaderView;
}
