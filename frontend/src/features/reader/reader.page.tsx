import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { ApiError } from '../../shared/api/api-error';
import type { Schema } from '../../shared/api/client';
import { toId } from '../../shared/api/use-zone';
import { lastRead, readingAddress, type ReadingState } from '../../shared/files/reading';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useTitle } from '../../shared/hooks/use-title';
import { KeyHelp } from './controls/key-help';
import { ReaderBar } from './controls/reader-bar';
import { useFullScreen, type FullScreen } from './controls/use-full-screen';
import { useReaderKeys } from './controls/use-reader-keys';
import { useView } from './controls/use-view';
import { FileContent } from './file-content';
import { Notice } from './notice';
import { toPageNumber } from './pages/page-layout';
import { useFile } from './use-file';
import { useNeighbours } from './use-neighbours';
import { StillMine } from './watching/still-mine';
import './reader.css';
import './controls/controls.css';
import './outline/side.css';
import './search/search.css';
import './text/text.css';

/** /zones/{zoneId}/files/{fileId}: one file, to be read; `?page=12` is the page of a document that is read. */
export function ReaderPage() {
  const { zoneId, fileId } = useParams();
  const full = useFullScreen();
  return (
    <StillMine key={fileId} fileId={toId(fileId)}>
      <Reader zoneId={toId(zoneId)} fileId={toId(fileId)} full={full} />
    </StillMine>
  );
}

function Reader({ zoneId, fileId, full }: { zoneId: number; fileId: number; full: FullScreen }) {
  const navigate = useNavigate();
  const location = useLocation();
  const state = location.state as ReadingState | null;
  const { data: file, error, refetch } = useFile(fileId);
  const { first, position, onPage } = useReadPage(state);
  const view = useView(full);
  useTitle(file?.originalName);
  useReadMarks(fileId, state);
  const { previous, next } = useNeighbours({ file, list: state?.list, enabled: file !== undefined });

  const folder = file?.folderId ?? null;
  const inZone = `/zones/${file?.zoneId ?? zoneId}${folder === null ? '' : `/folders/${folder}`}`;
  const place = file ? `${inZone}?item=file-${file.id}` : inZone;
  const isInList = state?.inList === true;
  const back = useCallback(() => void (isInList ? navigate(-1) : navigate(place)), [navigate, isInList, place]);
  const go = (id: number | undefined) =>
    id === undefined ? undefined : () => void navigate(readingAddress(zoneId, id), { replace: true, state });
  useReaderKeys({ view, position, onPrevious: go(previous?.id), onNext: go(next?.id), onBack: back });
  const isUnknown = Number.isNaN(fileId);
  return (
    <div
      className={full.isBare ? 'z-reader z-reader-bare' : 'z-reader'}
      data-around={position ? view.around : undefined}
    >
      <ReaderBar {...{ file, zoneId, place, state, position, previous, next, view }} onBack={back} />
      {file && <FileContent {...{ file, first, onPage, view }} page={position?.page} />}
      {!file && (error !== null || isUnknown) && <Missing error={error} place={inZone} onRetry={refetch} />}
      {!file && !error && !isUnknown && <Coming />}
      {file && position && <PrintNote file={file} />}
      <KeyHelp helpRef={view.help} />
    </div>
  );
}

/** On paper it stands in the place of a document, of which only the pages nearby are here. */
function PrintNote({ file }: { file: Schema<'FileDto'> }) {
  const { t } = useTranslation('reader');
  return (
    <p className="z-reader-print">
      {t(file.can.download ? 'print.download' : 'print.none', { name: file.originalName })}
    </p>
  );
}

function Coming() {
  const { t } = useTranslation('reader');
  return <div className="z-skeleton z-reader-sheet" role="status" aria-busy="true" aria-label={t('loading')} />;
}

function Missing({ error, place, onRetry }: { error: unknown; place: string; onRetry: () => unknown }) {
  const { t } = useTranslation('reader');
  const errorText = useErrorText();
  const isGone = error === null || (error instanceof ApiError && (error.status === 404 || error.status === 403));
  return (
    <div role="alert" className="z-reader-said">
      <Notice title={isGone ? t('notFound') : t('failed')} text={isGone ? undefined : errorText(error)}>
        {!isGone && (
          <button type="button" className="z-button" onClick={() => onRetry()}>
            {t('retry')}
          </button>
        )}
        <Link className="z-button" to={place}>
          {t('back')}
        </Link>
      </Notice>
    </div>
  );
}

/** The page that is read, kept in the address without a step of its own in the history. */
function useReadPage(state: ReadingState | null) {
  const [query, setQuery] = useSearchParams();
  const asked = query.get('page');
  const [first] = useState(() => toPageNumber(asked));
  const [position, setPosition] = useState<{ page: number; count: number } | null>(null);
  const onPage = useCallback((page: number, count: number) => {
    if (count > 0)
      setPosition((before) => (before?.page === page && before.count === count ? before : { page, count }));
  }, []);
  const page = position?.page;
  const isTold = page === undefined || (page === 1 ? asked === null : asked === String(page));
  useEffect(() => {
    if (isTold) return;
    setQuery(
      (before) => {
        if (page === 1) before.delete('page');
        else before.set('page', String(page));
        return before;
      },
      { replace: true, preventScrollReset: true, state },
    );
  }, [isTold, page, setQuery, state]);
  return { first, position, onPage };
}

/** The list to which one comes back gives the focus to what was read, and asks anew how often files were seen. */
function useReadMarks(fileId: number, state: ReadingState | null) {
  const queries = useQueryClient();
  const from = state?.from;
  useEffect(() => {
    if (from !== undefined) lastRead.set(fileId, from);
  }, [fileId, from]);
  useEffect(
    () => () => {
      for (const path of ['/api/zones/{id}/files', '/api/zones/{id}/search'])
        void queries.invalidateQueries({ queryKey: ['get', path], refetchType: 'none' });
    },
    [queries],
  );
}
