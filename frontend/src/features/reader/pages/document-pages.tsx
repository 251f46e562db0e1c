import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { LockedDocument } from '../locked/locked-document';
import { PreviewUnavailable } from '../preview-unavailable';
import { DocumentNotices } from '../notices/document-notices';
import { ReaderNotice } from '../reader-notice';
import { RetryButton } from '../retry-button';
import type { ReaderView } from '../controls/use-reader-view';
import { ReaderSidebar } from '../outline/reader-sidebar';
import { DocumentSearchProvider } from '../search/document-search-provider';
import { DocumentPosition } from '../position/document-position';
import { ReadingReport } from '../reading/reading-report';
import type { ReaderFile } from '../source/reader-source';
import { useReaderSource } from '../source/use-reader-source';
import { PageList } from './page-list';
import { SinglePage } from './single-page';

/** Milliseconds between polls while a document is being rendered. */
const POLL_INTERVAL = 1500;
/** Milliseconds of waiting after which the text says that it takes long. */
const LONG_WAIT = 15_000;
/** Maximum number of pages of a document. */
const MAX_PAGES = 10_000;
const UNKNOWN_SIZE = { width: 0, height: 0 };

interface Props {
  file: ReaderFile;
  initialPage: number;
  /** The current page, once known. */
  currentPage: number | undefined;
  onPageChange: (page: number, count: number) => void;
  view: ReaderView;
}

/** Loads what is known about a document's pages; polls while they are being rendered. */
function useDocumentPages(fileId: number) {
  const source = useReaderSource();
  return useQuery({
    ...source.documentQuery(fileId),
    refetchInterval: ({ state }) => state.data?.state === 'waiting' && POLL_INTERVAL,
  });
}

/**
 * Shows a document as pages. The first page image loads before the page list is known, because its URL is predictable.
 */
export function DocumentPages({ file, initialPage, currentPage, onPageChange, view }: Props) {
  const { t } = useTranslation('reader');
  const errorText = useErrorText();
  const { canUnlock, positions, reportReading } = useReaderSource();
  const { data, error, refetch } = useDocumentPages(file.id);
  const count = data?.pages.length ?? 0;
  // Until the page list is known, shows the requested page and those above it.
  const placeholderSizes = useMemo(
    () => Array.from({ length: Math.min(initialPage, MAX_PAGES) }, () => UNKNOWN_SIZE),
    [initialPage],
  );
  const reportPage = useMemo(() => (page: number) => onPageChange(Math.min(page, count), count), [onPageChange, count]);
  if (error && !data) {
    return (
      <div role="alert" className="z-reader-message">
        <ReaderNotice title={t('failed')} text={errorText(error)} file={file}>
          <button type="button" className="z-button" onClick={() => void refetch()}>
            {t('retry')}
          </button>
        </ReaderNotice>
      </div>
    );
  }
  if (data?.state === 'waiting') return <DocumentPreparing file={file} />;
  if (data?.failure === 'locked') {
    if (canUnlock) return <LockedDocument file={file} />;
    return <ReaderNotice title={t('locked.title')} text={t('locked.closed')} file={file} />;
  }
  // People who manage the file may be able to install the missing office converter.
  const isOfficeMissing = data?.failure === 'no-office' && file.can.seeOpenings;
  if (data?.state === 'failed' || isOfficeMissing) {
    const text = isOfficeMissing ? t('noOffice') : file.originalName;
    return (
      <div role="alert" className="z-reader-message">
        <ReaderNotice title={t(`failure.${data.failure ?? 'damaged'}`)} text={text} file={file}>
          <RetryButton file={file} />
        </ReaderNotice>
      </div>
    );
  }
  if (data?.state === 'none') return <PreviewUnavailable file={file} />;
  const sizes = data?.pages ?? placeholderSizes;
  // Changing the layout mode keeps the current page.
  const listProps = { file, sizes, initialPage: currentPage ?? initialPage, onPageChange: reportPage, view };
  return (
    <DocumentSearchProvider file={file} currentPage={listProps.initialPage} view={view}>
      <div className="z-reader-body">
        {data && view.isSidebarOpen && (
          <ReaderSidebar fileId={file.id} document={data} currentPage={listProps.initialPage} view={view} />
        )}
        <div className="z-reader-read">
          {data && (
            <DocumentNotices file={file} document={data} isPinned={initialPage > 1 && view.layoutMode !== 'single'} />
          )}
          {data && view.layoutMode === 'single' ? <SinglePage {...listProps} /> : <PageList {...listProps} />}
          {positions && count > 1 && (
            <DocumentPosition
              {...{ positions, initialPage, count, view }}
              fileId={file.id}
              page={listProps.initialPage}
            />
          )}
          {data?.recordsReading && reportReading && file.version !== undefined && (
            <ReadingReport
              key={file.version}
              report={reportReading}
              fileId={file.id}
              version={file.version}
              page={listProps.initialPage}
            />
          )}
        </div>
      </div>
    </DocumentSearchProvider>
  );
}

function DocumentPreparing({ file }: { file: ReaderFile }) {
  const { t } = useTranslation('reader');
  const [isTakingLong, setTakingLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTakingLong(true), LONG_WAIT);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="z-reader-message">
      <ReaderNotice
        title={t('waiting.title')}
        text={t(isTakingLong ? 'waiting.long' : 'waiting.text')}
        file={file}
        isBusy
      />
    </div>
  );
}
