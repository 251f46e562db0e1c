import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { lastReadFile } from '../../../shared/files/reader-navigation';
import type { Entry } from '../entries';

/**
 * Returns the index of the file the reader was closed on, when returning to this list; -1 if there is none or it's
 * gone.
 */
export function useLastReadIndex(entries: readonly Entry[]): number {
  const { key } = useLocation();
  const [fileId] = useState(() => lastReadFile.get(key));
  const index = useMemo(
    () => (fileId === null ? -1 : entries.findIndex((entry) => entry.kind === 'file' && entry.file.id === fileId)),
    [entries, fileId],
  );
  // Returning to this list again, from elsewhere, moves no focus.
  useEffect(() => {
    if (index >= 0) lastReadFile.clear();
  }, [index]);
  return index;
}
