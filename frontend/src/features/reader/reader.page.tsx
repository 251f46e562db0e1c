import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { ApiError } from '../../shared/api/api-error';
import type { Schema } from '../../shared/api/client';
import { parseId } from '../../shared/api/use-zone';
import { lastReadFile, readerUrl, type ReaderState } from '../../shared/files/reader-navigation';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useTitle } from '../../shared/hooks/use-title';
import { KeyboardShortcutsDialog } from './controls/keyboard-shortcuts-dialog';
import { ReaderBar } from './controls/reader-bar';
import { useFullScreen, type FullScreen } from './controls/use-full-screen';
import { useReaderShortcuts } from './controls/use-reader-shortcuts';
import { useReaderView } from './controls/use-reader-view';
import { FileContent } from './file-content';
import { ReaderNotice } from './reader-notice';
import { toPageNumber } from './pages/page-layout';
import { useFile } from './use-file';
import { useAdjacentFiles } from './use-adjacent-files';
import { AccessGuard } from './access/access-guard';
import './reader.css';
import './controls/controls.css';
import './outline/reader-sidebar.css';
import './search/search.css';
import './text/text.css';

/** /zones/{zoneId}/files/{fileId}: the reader for one file; `?page=12` is the current page of a document. */
export function ReaderPage() {
  const { zoneId, fileId } = useParams();
  const fullScreen = useFullScreen();
  return (
    <AccessGuard key={fileId} fileId={parseId(fileId)}>
      <Reader zoneId={parseId(zoneId)} fileId={parseId(fileId)} fullScreen={fullScreen} />
    </AccessGuard>
  );
}

function Reader({ zoneId, fileId, fullScreen }: { zoneId: number; fileId: number; fullScreen: FullScreen }) {
  const navigate = useNavigate();
  const location = useLocation();
  const state = location.state as ReaderState | null;
  const { data: file, error, refetch } = useFile(fileId);
  const { initialPage, position, onPageChange } = useCurrentPage(state);
  const view = useReaderView(fullScreen);
  useTitle(file?.originalName);
  useReturnToList(fileId, state);
  const { previous, next } = useAdjacentFiles({ file, list: state?.list, enabled: file !== undefined });

  const folder = file?.folderId ?? null;
  const folderPath = `/zones/${file?.zoneId ?? zoneId}${folder === null ? '' : `/folders/${folder}`}`;
  const backPath = file ? `${folderPath}?item=file-${file.id}` : folderPath;
  const cameFromList = state?.inList === true;
  const goBack = useCallback(
    () => void (cameFromList ? navigate(-1) : navigate(backPath)),
    [navigate, cameFromList, backPath],
  );
  const openFile = (id: number | undefined) =>
    id === undefined ? undefined : () => void navigate(readerUrl(zoneId, id), { replace: true, state });
  useReaderShortcuts({
    view,
    position,
    onPrevious: openFile(previous?.id),
    onNext: openFile(next?.id),
    onBack: goBack,
  });
  const isIdInvalid = Number.isNaN(fileId);
  return (
    <div
      className={fullScreen.isToolbarHidden ? 'z-reader z-reader-bare' : 'z-reader'}
      data-around={position ? view.background : undefined}
    >
      <ReaderBar {...{ file, zoneId, backPath, state, position, previous, next, view }} onBack={goBack} />
      {file && <FileContent {...{ file, initialPage, onPageChange, view }} currentPage={position?.page} />}
      {!file && (error !== null || isIdInvalid) && <FileError error={error} backPath={folderPath} onRetry={refetch} />}
      {!file && !error && !isIdInvalid && <FileSkeleton />}
      {file && position && <PrintNotice file={file} />}
      <KeyboardShortcutsDialog dialogRef={view.helpDialogRef} />
    </div>
  );
}

/** Printed instead of a document, because only the pages around the current one are rendered. */
function PrintNotice({ file }: { file: Schema<'FileDto'> }) {
  const { t } = useTranslation('reader');
  return (
    <p className="z-reader-print">
      {t(file.can.download ? 'print.download' : 'print.none', { name: file.originalName })}
    </p>
  );
}

function FileSkeleton() {
  const { t } = useTranslation('reader');
  return <div className="z-skeleton z-reader-sheet" role="status" aria-busy="true" aria-label={t('loading')} />;
}

function FileError({ error, backPath, onRetry }: { error: unknown; backPath: string; onRetry: () => unknown }) {
  const { t } = useTranslation('reader');
  const errorText = useErrorText();
  const isNotFound = error === null || (error instanceof ApiError && (error.status === 404 || error.status === 403));
  return (
    <div role="alert" className="z-reader-message">
      <ReaderNotice title={isNotFound ? t('notFound') : t('failed')} text={isNotFound ? undefined : errorText(error)}>
        {!isNotFound && (
          <button type="button" className="z-button" onClick={() => onRetry()}>
            {t('retry')}
          </button>
        )}
        <Link className="z-button" to={backPath}>
          {t('back')}
        </Link>
      </ReaderNotice>
    </div>
  );
}

/** Keeps the current page in the URL without adding history entries. */
function useCurrentPage(state: ReaderState | null) {
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

/** Makes the list focus the file that was read on return, and refetches its view counts. */
function useReturnToList(fileId: number, state: ReaderState | null) {
  const queryClient = useQueryClient();
  const listKey = state?.from;
  useEffect(() => {
    if (listKey !== undefined) lastReadFile.set(fileId, listKey);
  }, [fileId, listKey]);
  useEffect(
    () => () => {
      for (const path of ['/api/zones/{id}/files', '/api/zones/{id}/search'])
        void queryClient.invalidateQueries({ queryKey: ['get', path], refetchType: 'none' });
    },
    [queryClient],
  );
}
