import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { useTitle } from '../../shared/hooks/use-title';
import { KeyboardShortcutsDialog } from './controls/keyboard-shortcuts-dialog';
import { ReaderBar } from './controls/reader-bar';
import type { FullScreen } from './controls/use-full-screen';
import { useReaderShortcuts } from './controls/use-reader-shortcuts';
import { useReaderView } from './controls/use-reader-view';
import { FileContent } from './file-content';
import { toPageNumber } from './pages/page-layout';
import type { ReaderFile } from './source/reader-source';
import './reader.css';
import './controls/controls.css';
import './outline/reader-sidebar.css';
import './search/search.css';
import './text/text.css';

interface Props {
  /** Undefined while it is loading, and if it can't be loaded. */
  file: ReaderFile | undefined;
  /** Shown without a file. */
  fallback: ReactNode;
  /** URL of the file's folder. Undefined if the file is all that the reader may see. */
  backPath?: string;
  onBack?: () => void;
  previousUrl: string | undefined;
  nextUrl: string | undefined;
  /** History state of the page, which links to other files pass on. */
  state: unknown;
  fullScreen: FullScreen;
}

/** A file with the reader's bar above it; `?page=12` is the current page of a document. */
export function FileReader({ file, fallback, backPath, onBack, previousUrl, nextUrl, state, fullScreen }: Props) {
  const navigate = useNavigate();
  const { initialPage, position, onPageChange } = useCurrentPage(state);
  const view = useReaderView(fullScreen);
  useTitle(file?.originalName);
  const openUrl = (url: string | undefined) =>
    url === undefined ? undefined : () => void navigate(url, { replace: true, state });
  useReaderShortcuts({ view, position, onPrevious: openUrl(previousUrl), onNext: openUrl(nextUrl), onBack });
  return (
    <div
      className={fullScreen.isToolbarHidden ? 'z-reader z-reader-bare' : 'z-reader'}
      data-around={position ? view.background : undefined}
    >
      <ReaderBar {...{ file, backPath, onBack, state, position, previousUrl, nextUrl, view }} />
      {file ? <FileContent {...{ file, initialPage, onPageChange, view }} currentPage={position?.page} /> : fallback}
      {file && position && <PrintNotice file={file} />}
      <KeyboardShortcutsDialog dialogRef={view.helpDialogRef} />
    </div>
  );
}

/** Printed instead of a document, because only the pages around the current one are rendered. */
function PrintNotice({ file }: { file: ReaderFile }) {
  const { t } = useTranslation('reader');
  return (
    <p className="z-reader-print">
      {t(file.can.download ? 'print.download' : 'print.none', { name: file.originalName })}
    </p>
  );
}

export function FileSkeleton() {
  const { t } = useTranslation('reader');
  return <div className="z-skeleton z-reader-sheet" role="status" aria-busy="true" aria-label={t('loading')} />;
}

/** Keeps the current page in the URL without adding history entries. */
function useCurrentPage(state: unknown) {
  const [searchParams, setSearchParams] = useSearchParams();
  const requestedPage = searchParams.get('page');
  const [initialPage] = useState(() => toPageNumber(requestedPage));
  const [position, setPosition] = useState<{ page: number; count: number } | null>(null);
  const onPageChange = useCallback((page: number, count: number) => {
    if (count > 0)
      setPosition((previous) => (previous?.page === page && previous.count === count ? previous : { page, count }));
  }, []);
  const page = position?.page;
  const isUrlCurrent = page === undefined || (page === 1 ? requestedPage === null : requestedPage === String(page));
  useEffect(() => {
    if (isUrlCurrent) return;
    setSearchParams(
      (params) => {
        if (page === 1) params.delete('page');
        else params.set('page', String(page));
        return params;
      },
      { replace: true, preventScrollReset: true, state },
    );
  }, [isUrlCurrent, page, setSearchParams, state]);
  return { initialPage, position, onPageChange };
}
