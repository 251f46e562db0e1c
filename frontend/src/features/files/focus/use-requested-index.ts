import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { toast } from '../../../shared/toast/toast-store';
import type { FolderContent } from '../api/use-folder-content';
import { entryKey } from '../entries';

/**
 * Finds the item requested by the URL (`?item=file-12`). In a long list, loads the pages before it. If it isn't there
 * even after a refetch, shows an error.
 * @returns its index; -1 if none is requested or it isn't there (yet)
 */
export function useRequestedIndex({ entries, isLoaded, isComplete, loadMore, refetch }: FolderContent) {
  const { t } = useTranslation('files');
  const [query, setQuery] = useSearchParams();
  const key = query.get('item');
  const index = useMemo(
    () => (key === null ? -1 : entries.findIndex((entry) => entryKey(entry) === key)),
    [entries, key],
  );
  // Once found, an item isn't searched for again after it is moved or deleted.
  const [foundKey, setFoundKey] = useState<string | null>(null);
  if (index >= 0 && foundKey !== key) setFoundKey(key);
  const [checkedKey, setCheckedKey] = useState<string | null>(null);
  const refetchedKeyRef = useRef<string | null>(null);
  const isMissing = key !== null && key !== foundKey && index < 0 && isLoaded;

  useEffect(() => {
    if (isMissing && !isComplete) loadMore?.();
  }, [isMissing, isComplete, loadMore]);

  useEffect(() => {
    if (!isMissing || !isComplete) return;
    if (checkedKey !== key) {
      if (refetchedKeyRef.current === key) return;
      refetchedKeyRef.current = key;
      // The cached list may be older than the file.
      void Promise.resolve(refetch()).then(() => setCheckedKey(key));
      return;
    }
    toast.error(t('search.gone'));
    setQuery(
      (params) => {
        params.delete('item');
        return params;
      },
      { replace: true },
    );
  }, [isMissing, isComplete, checkedKey, key, refetch, setQuery, t]);

  return index;
}
