import { useEffect, useLayoutEffect, type KeyboardEvent, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { CloseIcon, DownIcon, UpIcon } from '../controls/icons';
import { MAX_QUERY_LENGTH, type DocumentSearch } from './use-document-search';

/** The server returns at most this many hits. */
const MAX_HITS = 500;

/**
 * Moves the pages below the panel so that it covers no line; readers in the middle of the document keep their position.
 */
function offsetScroll(): () => void {
  const pages = document.querySelector('.z-reader-read');
  const offset = pages ? parseFloat(getComputedStyle(pages).paddingTop) || 0 : 0;
  const shift = (by: number) => {
    if (window.scrollY > 0) window.scrollBy({ top: by, behavior: 'instant' });
  };
  shift(offset);
  return () => shift(-offset);
}

/** The search panel of a document. */
export function SearchBar({ search }: { search: DocumentSearch }) {
  const { t } = useTranslation('reader');
  const { focusRequests, inputRef } = search;
  useLayoutEffect(offsetScroll, []);
  useEffect(() => {
    if (focusRequests === 0) return;
    inputRef.current?.focus();
    inputRef.current?.select();
  }, [focusRequests, inputRef]);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    search.moveBy(1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.shiftKey) return;
    event.preventDefault();
    search.moveBy(-1);
  };
  return (
    <form role="search" className="z-reader-find" onSubmit={onSubmit}>
      <input
        ref={inputRef}
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_QUERY_LENGTH}
        aria-label={t('find.field')}
        placeholder={t('find.field')}
        value={search.query}
        onChange={(event) => search.setQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <SearchButtons search={search} />
      <p role="status" className="z-second">
        <SearchStatus search={search} />
      </p>
    </form>
  );
}

function SearchButtons({ search }: { search: DocumentSearch }) {
  const { t } = useTranslation('reader');
  const renderButton = (label: string, Icon: typeof UpIcon, onClick: () => void) => (
    <button type="button" className="z-reader-tool" aria-label={label} title={label} onClick={onClick}>
      <Icon />
    </button>
  );
  return (
    <>
      {renderButton(t('find.previous'), UpIcon, () => search.moveBy(-1))}
      {renderButton(t('find.next'), DownIcon, () => search.moveBy(1))}
      {renderButton(t('find.close'), CloseIcon, search.close)}
    </>
  );
}

/** The state of a search, also announced in a polite live region. */
function SearchStatus({ search: { state, error, results } }: { search: DocumentSearch }) {
  const { t } = useTranslation('reader');
  const format = useFormat();
  const errorText = useErrorText();
  if (state === 'nothing') return null;
  if (state === 'failed') return errorText(error);
  if (state !== 'found') return t(`find.${state}`);
  const hit = results?.hits[results.currentIndex];
  if (!results || !hit) return t('find.none');
  const count = results.hits.length;
  const values = { at: format.number(results.currentIndex + 1), count: format.number(count) };
  return (
    <>
      {t(count < MAX_HITS ? 'find.found' : 'find.most', values)}
      <span className="z-visually-hidden">{t('find.place', { page: hit.page, around: hit.around })}</span>
    </>
  );
}
