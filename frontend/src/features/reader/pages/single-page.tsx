import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageList, type PageListProps } from './page-list';

/** Shows one page of a document at a time. */
export function SinglePage(props: PageListProps) {
  const { t } = useTranslation('reader');
  const count = props.sizes.length;
  const [page, setPage] = useState(() => Math.min(props.initialPage, count));
  const goToPage = useCallback(
    (target: number) => {
      setPage(Math.max(1, Math.min(target, count)));
      window.scrollTo({ top: 0, behavior: 'instant' });
    },
    [count],
  );
  return (
    <>
      <PageList key={page} {...props} initialPage={1} singlePage={page} onGoToPage={goToPage} />
      <p role="status" className="z-visually-hidden">
        {t('pageOf', { page, count })}
      </p>
      <div className="z-reader-steps">
        <button type="button" className="z-button" disabled={page <= 1} onClick={() => goToPage(page - 1)}>
          {t('pageBefore')}
        </button>
        <button type="button" className="z-button" disabled={page >= count} onClick={() => goToPage(page + 1)}>
          {t('pageAfter')}
        </button>
      </div>
    </>
  );
}
