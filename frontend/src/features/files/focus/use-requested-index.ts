import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { toast } from '../../../shared/toast/toast-store';
import type { FolderContent } from '../api/use-folder-content';
import { useItemIndex } from './use-item-index';

/**
 * Finds the item requested by the URL (`?item=file-12`). If it isn't there even after a refetch, shows an error.
 * @returns its key, null if none is requested, and its index, -1 if it isn't there (yet)
 */
export function useRequestedIndex(content: FolderContent): { index: number; key: string | null } {
  const { refetch } = content;
  const { t } = useTranslation('files');
  const [query, setQuery] = useSearchParams();
  const key = query.get('item');
  const { index, isMissing } = useItemIndex(content, key);
  const [checkedKey, setCheckedKey] = useState<string | null>(null);
  const refetchedKeyRef = useRef<string | null>(null);

  useEffect(() => {
    if (!isMissing) return;
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
  }, [isMissing, checkedKey, key, refetch, setQuery, t]);

  return { index, key };
}
