import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ApiError } from '../../../shared/api/api-error';
import { useTitle } from '../../../shared/hooks/use-title';
import { ReaderNotice } from '../reader-notice';
import { useFile } from '../use-file';
import { useAccessWatch } from './use-access-watch';

interface Props {
  fileId: number;
  /** Displays the file. */
  children: ReactNode;
}

/**
 * Shows a file while the reader has access to it. When access is lost, removes it from the page and from the query
 * cache.
 */
export function AccessGuard({ fileId, children }: Props) {
  const queryClient = useQueryClient();
  const [isAccessLost, setAccessLost] = useState(false);
  const handleAccessLost = useCallback(() => {
    removeFileQueries(queryClient);
    setAccessLost(true);
  }, [queryClient]);
  const handleAccessRestored = useCallback(() => setAccessLost(false), []);
  if (isAccessLost) return <AccessLost fileId={fileId} onAccessRestored={handleAccessRestored} />;
  return (
    <>
      {children}
      <AccessWatch fileId={fileId} onAccessLost={handleAccessLost} />
    </>
  );
}

/** Removes files and lists of files from the cache; what the reader may still see is requested again. */
function removeFileQueries(queryClient: QueryClient): void {
  const paths = ['/api/files/', '/api/zones/{id}/files', '/api/zones/{id}/search'];
  queryClient.removeQueries({
    predicate: ({ queryKey: [, path] }) => typeof path === 'string' && paths.some((prefix) => path.startsWith(prefix)),
  });
}

function AccessWatch({ fileId, onAccessLost }: { fileId: number; onAccessLost: () => void }) {
  const { data, isPlaceholderData } = useFile(fileId);
  useAccessWatch(data !== undefined && !isPlaceholderData ? fileId : null, onAccessLost);
  return null;
}

/** Asks the server once for the reason. A reader who was only signed out continues after signing in. */
function AccessLost({ fileId, onAccessRestored }: { fileId: number; onAccessRestored: () => void }) {
  const { t } = useTranslation('reader');
  const { data, error } = useFile(fileId);
  const [wasSignedOut, setSignedOut] = useState(false);
  useTitle(t('gone.title'));
  const isSignedOut = error instanceof ApiError && error.status === 401;
  if (isSignedOut && !wasSignedOut) setSignedOut(true);
  const isAccessRestored = wasSignedOut && data !== undefined && error === null;
  useEffect(() => {
    if (isAccessRestored) onAccessRestored();
  }, [isAccessRestored, onAccessRestored]);
  return (
    <div className="z-reader">
      <div role="alert" className="z-reader-message">
        <ReaderNotice
          isStandalone
          title={t(wasSignedOut ? 'signedOut' : 'gone.title')}
          text={wasSignedOut ? undefined : t('gone.text')}
        >
          <Link className="z-button z-button-main" to="/">
            {t('gone.home')}
          </Link>
        </ReaderNotice>
      </div>
    </div>
  );
}
