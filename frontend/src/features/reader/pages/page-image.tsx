import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useLockedAgain } from '../locked/use-locked-again';
import { turnedIn } from './page-box';
import type { Turn } from './page-layout';
import { useOnline } from './use-online';

const addressOf = (fileId: number, page: number, width: number) => `/api/files/${fileId}/pages/${page}?width=${width}`;

interface Props {
  fileId: number;
  page: number;
  /** Of the picture that is asked for. */
  width: number;
  turn: Turn;
  /** Where it stands, in pixels of the style sheet, as it is turned. */
  box: { width: number; height: number };
  /** One that is far away is not fetched, and lets go of its picture. */
  isNear: boolean;
  /** Its picture is there, or cannot be. */
  onSettled: () => void;
}

/**
 * A page of a document as a picture, or why it cannot be shown. A wider one is fetched beside the one that is there, which
 * stays when the wider one fails: what can be read is not taken away.
 */
export function PageImage({ fileId, page, width, turn, box, isNear, onSettled }: Props) {
  const { t } = useTranslation('reader');
  const [state, setState] = useState<'loading' | 'failed' | { shown: number }>('loading');
  const [tries, setTries] = useState(0);
  if (!isNear && state !== 'loading') setState('loading');
  const again = () => {
    setTries((before) => before + 1);
    setState('loading');
  };
  const settle = (to: 'failed' | { shown: number }) => {
    setState(to);
    onSettled();
  };
  if (state === 'failed') return <FailedPage {...{ fileId, page, width, tries }} onRetry={again} />;
  const shown = state === 'loading' ? width : state.shown;
  return (
    <>
      <img
        key={`${tries} ${isNear}`}
        className={state === 'loading' ? 'z-reader-picture z-reader-coming' : 'z-reader-picture'}
        style={turnedIn(box, turn)}
        alt={t('page', { page })}
        decoding="async"
        fetchPriority={page === 1 ? 'high' : 'auto'}
        draggable={false}
        onLoad={() => settle({ shown })}
        onError={() => settle('failed')}
        src={isNear ? addressOf(fileId, page, shown) : undefined}
      />
      {shown !== width && (
        <img hidden alt="" src={addressOf(fileId, page, width)} onLoad={() => setState({ shown: width })} />
      )}
    </>
  );
}

/** Who went through pages faster than they may be drawn waits, and need not ask again. */
function useWhenAllowed(error: unknown, onRetry: () => void): void {
  const again = useEffectEvent(onRetry);
  const seconds = error instanceof ApiError ? error.retryAfter : undefined;
  useEffect(() => {
    if (seconds === undefined) return undefined;
    const timer = setTimeout(() => again(), seconds * 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
}

interface FailedProps {
  fileId: number;
  page: number;
  width: number;
  tries: number;
  onRetry: () => void;
}

/** A picture tells no reason; asked for once more, the server gives its sentence. */
function FailedPage({ fileId, page, width, tries, onRetry }: FailedProps) {
  const { t } = useTranslation('reader');
  const errorText = useErrorText();
  /** The one that failed: another would be drawn for nothing. */
  const [asked] = useState(width);
  const { error } = useQuery({
    queryKey: ['get', '/api/files/{id}/pages/{page}', { fileId, page, asked, tries }],
    queryFn: async ({ signal }) => {
      await api.GET('/api/files/{id}/pages/{page}', {
        params: { path: { id: fileId, page }, query: { width: asked as 600 | 1200 | 2000 } },
        parseAs: 'arrayBuffer',
        signal,
      });
      return true;
    },
    gcTime: 0,
  });
  useLockedAgain(error);
  useOnline(onRetry);
  useWhenAllowed(error, onRetry);
  return (
    <div className="z-reader-failed" role="group" aria-label={t('page', { page })}>
      <p>{t('pageFailed', { page })}</p>
      {error && <p className="z-second">{errorText(error)}</p>}
      <button type="button" className="z-button" onClick={onRetry}>
        {t('retry')}
      </button>
    </div>
  );
}
