import { useState, type KeyboardEvent, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { View } from './use-view';

interface Props {
  page: number;
  count: number;
  view: View;
}

/** The page that is read, and the field by which one goes to another. */
export function PageField({ page, count, view }: Props) {
  const { field: fieldRef, pages } = view;
  const { t } = useTranslation('reader');
  const format = useFormat();
  /** What somebody is typing; null while nobody is. */
  const [typed, setTyped] = useState<string | null>(null);
  const leave = () => {
    setTyped(null);
    fieldRef.current?.blur();
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = Number(typed?.trim() || page);
    // A number beyond the last page leads to the last; what is no number leads nowhere.
    if (Number.isFinite(wanted)) pages.current?.go(Math.floor(wanted));
    leave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    leave();
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
        value={typed ?? String(page)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => setTyped(null)}
      />
      <span aria-hidden>{t('ofPages', { count: format.number(count) })}</span>
    </form>
  );
}
