import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router';
import { hasCode } from '../../../shared/api/api-error';
import { $api, type Schema } from '../../../shared/api/client';
import { parseId } from '../../../shared/api/use-zone';
import { DownloadLinkHandler } from '../../../shared/files/download-link-handler';
import {
  sharedFilesQuery,
  sharedFileUrl,
  sharedFolderUrl,
  sharedLinkKey,
  sharedUrl,
  type SharedListState,
} from '../../../shared/files/shared-lists';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { SkipLink } from '../../../shared/public-ui/skip-link';
import { useFullScreen, type FullScreen } from '../controls/use-full-screen';
import { FileReader, FileSkeleton } from '../file-reader';
import { ReaderNotice } from '../reader-notice';
import type { ReaderFile } from '../source/reader-source';
import { createSharedSource } from '../source/shared-source';
import { ReaderSourceContext } from '../source/use-reader-source';
import { flattenPages, useNeighbours } from '../use-adjacent-files';
import './shared-reader.css';

/** /s/{token}/files/{fileId}: the reader for a file that a link shares, without an account. */
export function SharedReaderPage() {
  const { token = '', fileId } = useParams();
  const fullScreen = useFullScreen();
  const source = useMemo(() => createSharedSource(token), [token]);
  return (
    <>
      <SkipLink />
      <main id="main" tabIndex={-1} className="z-shared-reader">
        <ReaderSourceContext value={source}>
          <SharedFileReader key={fileId} token={token} fileId={parseId(fileId)} fullScreen={fullScreen} />
        </ReaderSourceContext>
      </main>
      <DownloadLinkHandler />
    </>
  );
}

interface Props {
  token: string;
  fileId: number;
  fullScreen: FullScreen;
}

function SharedFileReader({ token, fileId, fullScreen }: Props) {
  const navigate = useNavigate();
  const state = useLocation().state as SharedListState | null;
  const { data, error, refetch } = $api.useQuery(
    'get',
    '/api/shared/{token}/files/{id}',
    { params: { path: { token, id: fileId } } },
    { enabled: Number.isSafeInteger(fileId) },
  );
  const folderId = data?.folderId ?? null;
  const { previous, next } = useFolderNeighbours(token, folderId, data?.id);
  const backPath = folderId === null ? undefined : sharedFolderUrl(token, folderId);
  const cameFromList = state?.inList === true;
  const goBack = useCallback(
    () => void (cameFromList ? navigate(-1) : backPath !== undefined && navigate(backPath)),
    [navigate, cameFromList, backPath],
  );
  if (Number.isNaN(fileId) || hasCode(error, 'SHARED_NOT_FOUND', 'SHARED_NOT_ENTERED'))
    return <ReturnToLink token={token} />;
  return (
    <FileReader
      file={data && toReaderFile(data)}
      fallback={error ? <SharedFileError error={error} onRetry={refetch} /> : <FileSkeleton />}
      backPath={backPath}
      onBack={backPath === undefined ? undefined : goBack}
      previousUrl={previous && sharedFileUrl(token, previous.id)}
      nextUrl={next && sharedFileUrl(token, next.id)}
      state={state}
      fullScreen={fullScreen}
    />
  );
}

const toReaderFile = ({ name, can, ...file }: Schema<'SharedFileDetailDto'>): ReaderFile => ({
  ...file,
  originalName: name,
  // What a guest may view, browsers can show.
  viewable: can.view,
  can,
});

/** Returns the previous and next file in the folder; none if the link shares only a file. */
function useFolderNeighbours(token: string, folderId: number | null, fileId: number | undefined) {
  const query = useInfiniteQuery({
    ...sharedFilesQuery(token, folderId ?? 0),
    staleTime: Infinity,
    enabled: folderId !== null,
  });
  return useNeighbours(query, flattenPages(query.data), folderId === null ? undefined : fileId);
}

/** Goes to the link's page, which asks to enter or says why the link can't be used. */
function ReturnToLink({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => {
    // Cached from before the link changed, it would lead back here.
    queryClient.removeQueries({ queryKey: sharedLinkKey(token) });
    void navigate(sharedUrl(token), { replace: true });
  }, [queryClient, navigate, token]);
  return <FileSkeleton />;
}

function SharedFileError({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const { t } = useTranslation('reader');
  const errorText = useErrorText();
  return (
    <div role="alert" className="z-reader-message">
      <ReaderNotice title={t('failed')} text={errorText(error)}>
        <button type="button" className="z-button" onClick={() => onRetry()}>
          {t('retry')}
        </button>
      </ReaderNotice>
    </div>
  );
}
