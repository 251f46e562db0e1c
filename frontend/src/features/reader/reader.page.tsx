import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { ApiError } from '../../shared/api/api-error';
import { parseId } from '../../shared/api/use-zone';
import { lastReadFile, readerUrl, type ReaderState } from '../../shared/files/reader-navigation';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { AccessGuard } from './access/access-guard';
import { useFullScreen, type FullScreen } from './controls/use-full-screen';
import { FileReader, FileSkeleton } from './file-reader';
import { ReaderNotice } from './reader-notice';
import { useAdjacentFiles } from './use-adjacent-files';
import { useFile } from './use-file';

// From the same chunk: code shared by two chunks would move to one that more pages load.
export { SharedReaderPage } from './shared/shared-reader.page';

/** /zones/{zoneId}/files/{fileId}: the reader for one file of a zone. */
export function ReaderPage() {
  const { zoneId, fileId } = useParams();
  const fullScreen = useFullScreen();
  return (
    <AccessGuard key={fileId} fileId={parseId(fileId)}>
      <ZoneFileReader zoneId={parseId(zoneId)} fileId={parseId(fileId)} fullScreen={fullScreen} />
    </AccessGuard>
  );
}

function ZoneFileReader({ zoneId, fileId, fullScreen }: { zoneId: number; fileId: number; fullScreen: FullScreen }) {
  const navigate = useNavigate();
  const location = useLocation();
  const state = location.state as ReaderState | null;
  const { data: file, error, refetch } = useFile(fileId);
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
  const hasFailed = error !== null || Number.isNaN(fileId);
  return (
    <FileReader
      file={file}
      fallback={hasFailed ? <FileError error={error} backPath={folderPath} onRetry={refetch} /> : <FileSkeleton />}
      backPath={backPath}
      onBack={goBack}
      previousUrl={previous && readerUrl(zoneId, previous.id)}
      nextUrl={next && readerUrl(zoneId, next.id)}
      state={state}
      fullScreen={fullScreen}
    />
  );
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
