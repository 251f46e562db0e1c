import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ApiError } from '../../../shared/api/api-error';
import { useTitle } from '../../../shared/hooks/use-title';
import { Notice } from '../notice';
import { useFile } from '../use-file';
import { useWatch } from './use-watch';

interface Props {
  fileId: number;
  /** What shows the file. */
  children: ReactNode;
}

/** Shows a file while it is the reader’s to read. Once it is not, nothing of it stays in the page or its memory. */
export function StillMine({ fileId, children }: Props) {
  const queries = useQueryClient();
  const [isGone, setGone] = useState(false);
  const onGone = useCallback(() => {
    forget(queries);
    setGone(true);
  }, [queries]);
  const onBack = useCallback(() => setGone(false), []);
  if (isGone) return <Gone fileId={fileId} onBack={onBack} />;
  return (
    <>
      {children}
      <Watch fileId={fileId} onGone={onGone} />
    </>
  );
}

/** Files and lists of them: what is still the reader's is asked for anew. */
function forget(queries: QueryClient): void {
  const paths = ['/api/files/', '/api/zones/{id}/files', '/api/zones/{id}/search'];
  queries.removeQueries({
    predicate: ({ queryKey: [, path] }) => typeof path === 'string' && paths.some((one) => path.startsWith(one)),
  });
}

function Watch({ fileId, onGone }: { fileId: number; onGone: () => void }) {
  const { data, isPlaceholderData } = useFile(fileId);
  useWatch(data !== undefined && !isPlaceholderData ? fileId : null, onGone);
  return null;
}

/** Asks once why: who was only signed out goes on reading after signing in. */
function Gone({ fileId, onBack }: { fileId: number; onBack: () => void }) {
  const { t } = useTranslation('reader');
  const { data, error } = useFile(fileId);
  const [wasSignedOut, setSignedOut] = useState(false);
  useTitle(t('gone.title'));
  const isSignedOut = error instanceof ApiError && error.status === 401;
  if (isSignedOut && !wasSignedOut) setSignedOut(true);
  const isBack = wasSignedOut && data !== undefined && error === null;
  useEffect(() => {
    if (isBack) onBack();
  }, [isBack, onBack]);
  return (
    <div className="z-reader">
      <div role="alert" className="z-reader-said">
        <Notice
          isPage
          title={t(wasSignedOut ? 'signedOut' : 'gone.title')}
          text={wasSignedOut ? undefined : t('gone.text')}
        >
          <Link className="z-button z-button-main" to="/">
            {t('gone.home')}
          </Link>
        </Notice>
      </div>
    </div>
  );
}
