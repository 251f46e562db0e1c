import { useState, type KeyboardEvent, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { ReaderView } from './use-reader-view';

interface Props {
  page: number;
  count: number;
  view: ReaderView;
}

/** Shows the current page, in a field that also jumps to another page. */
export function PageField({ page, count, view }: Props) {
  const { pageFieldRef: fieldRef, pagesRef } = view;
  const { t } = useTranslation('reader');
  const format = useFormat();
  /** The text being typed; null otherwise. */
  const [draft, setDraft] = useState<string | null>(null);
  const stopEditing = () => {
    setDraft(null);
    fieldRef.current?.blur();
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const requestedPage = Number(draft?.trim() || page);
    // A number beyond the last page leads to the last page; other text is ignored.
    if (Number.isFinite(requestedPage)) pagesRef.current?.goToPage(Math.floor(requestedPage));
    stopEditing();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    stopEditing();
  };
  return (
    <form className="z-reader-place" onSubmit={onSubmit}>
      <input
        ref={fieldRef}
        inputMode="numeric"
        enterKeyHint="go"
        autoComplete="off"
        maxLength={6}
        aria-label={t('pageField', { count })}
        value={draft ?? String(page)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => setDraft(null)}
      />
      <span aria-hidden>{t('ofPages', { count: format.number(count) })}</span>
    </form>
  );
}
