import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { toast } from '../../../shared/toast/toast-store';
import type { FolderContent } from '../api/use-folder-content';
import { entryKey } from '../entries';

/**
 * The item that the address asks for by `?item=file-12`. In a long list the pages before it are loaded first. When it is not there, also not in a list asked for anew, that is said.
 * @returns where it stands in the list; -1 when nothing is asked for or it is not there (yet)
 */
export function useWanted({ entries, ready, complete, loadMore, refetch }: FolderContent) {
  const { t } = useTranslation('files');
  const [query, setQuery] = useSearchParams();
  const key = query.get('item');
  const index = useMemo(
    () => (key === null ? -1 : entries.findIndex((entry) => entryKey(entry) === key)),
    [entries, key],
  );
  // What was there once is not looked for again when it is moved or deleted.
  const [found, setFound] = useState<string | null>(null);
  if (index >= 0 && found !== key) setFound(key);
  const [checked, setChecked] = useState<string | null>(null);
  const asked = useRef<string | null>(null);
  const sought = key !== null && key !== found && index < 0 && ready;

  useEffect(() => {
    if (sought && !complete) loadMore?.();
  }, [sought, complete, loadMore]);

  useEffect(() => {
    if (!sought || !complete) return;
    if (checked !== key) {
      if (asked.current === key) return;
      asked.current = key;
      // The list at hand may be older than the file.
      void Promise.resolve(refetch()).then(() => setChecked(key));
      return;
    }
    toast.error(t('search.gone'));
    setQuery(
      (before) => {
        before.delete('item');
        return before;
      },
      { replace: true },
    );
  }, [sought, complete, checked, key, refetch, setQuery, t]);

  return index;
}
