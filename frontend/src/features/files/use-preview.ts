import { useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

/**
 * Which file is shown, kept in the address (`?preview=12`), so that going back closes it.
 */
export function usePreview() {
  const [query, setQuery] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { inList?: boolean } | null };
  const shown = query.get('preview');
  const cameFromList = state?.inList === true;

  const show = useCallback(
    (fileId: number) =>
      setQuery(
        (before) => {
          before.set('preview', String(fileId));
          return before;
        },
        // From one file to the next is no step of its own: going back leads to the list.
        { replace: shown !== null, preventScrollReset: true, state: { inList: shown === null || cameFromList } },
      ),
    [setQuery, shown, cameFromList],
  );

  const close = useCallback(() => {
    if (cameFromList) return void navigate(-1);
    setQuery(
      (before) => {
        before.delete('preview');
        // One came to it from elsewhere: in the list it is marked.
        if (shown !== null) before.set('item', `file-${shown}`);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [navigate, setQuery, cameFromList, shown]);

  return { fileId: shown === null ? null : Number(shown), show, close };
}
