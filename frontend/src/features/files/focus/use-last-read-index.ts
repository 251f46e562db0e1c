import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { lastReadFile } from '../../../shared/files/reader-navigation';
import type { Entry } from '../entries';

/**
 * Where the file stands from which one has come back to this list; -1 when one has not, or when it is not there any more.
 */
export function useLastReadIndex(entries: readonly Entry[]): number {
  const { key } = useLocation();
  const [fileId] = useState(() => lastReadFile.get(key));
  const index = useMemo(
    () => (fileId === null ? -1 : entries.findIndex((entry) => entry.kind === 'file' && entry.file.id === fileId)),
    [entries, fileId],
  );
  // Coming to this list another time, from elsewhere, moves no focus.
  useEffect(() => {
    if (index >= 0) lastReadFile.clear();
  }, [index]);
  return index;
}
