import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { lastReadFile } from '../../../shared/files/reader-navigation';
import type { FolderContent } from '../api/use-folder-content';
import { useItemIndex } from './use-item-index';

/**
 * Returns the index of the file the reader was closed on, when returning to this list; -1 if there is none or it's
 * gone.
 */
export function useLastReadIndex(content: FolderContent): number {
  const { key } = useLocation();
  const [fileId] = useState(() => lastReadFile.get(key));
  const { index } = useItemIndex(content, fileId === null ? null : `file-${fileId}`);
  // Returning to this list again, from elsewhere, moves no focus.
  useEffect(() => {
    if (index >= 0) lastReadFile.clear();
  }, [index]);
  return index;
}
