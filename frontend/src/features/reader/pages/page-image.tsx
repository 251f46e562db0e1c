import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useRefetchWhenLocked } from '../locked/use-refetch-when-locked';
import { useReaderSource } from '../source/use-reader-source';
import { rotatedImageStyle } from './page-styles';
import type { Rotation } from './page-layout';
import { useRetryWhenOnline } from './use-retry-when-online';

interface Props {
  fileId: number;
  page: number;
  /** Width of the requested image. */
  width: number;
  rotation: Rotation;
  /** Size of the slot after rotation, in CSS pixels. */
  slotSize: { width: number; height: number };
  /** Images of pages that are far away aren't loaded, and are released. */
  isNearViewport: boolean;
  /** Called when the image has loaded or failed. */
  onLoadEnd: () => void;
}

/**
 * The image of a page, or why it can't be shown. A wider image loads next to the current one, which stays if the wider
 * one fails, so that a readable page never disappears.
 */
export function PageImage({ fileId, page, width, rotation, slotSize, isNearViewport, onLoadEnd }: Props) {
  const { t } = useTranslation('reader');
  const { pageImageUrl } = useReaderSource();
  const [state, setState] = useState<'loading' | 'failed' | { loadedWidth: number }>('loading');
  const [attempt, setAttempt] = useState(0);
  if (!isNearViewport && state !== 'loading') setState('loading');
  const retry = () => {
    setAttempt((previous) => previous + 1);
    setState('loading');
  };
  const finishLoading = (result: 'failed' | { loadedWidth: number }) => {
    setState(result);
    onLoadEnd();
  };
  if (state === 'failed') return <PageImageError {...{ fileId, page, width, attempt }} onRetry={retry} />;
  const loadedWidth = state === 'loading' ? width : state.loadedWidth;
  return (
    <>
      <img
        key={`${attempt} ${isNearViewport}`}
        className={state === 'loading' ? 'z-reader-picture z-reader-coming' : 'z-reader-picture'}
        style={rotatedImageStyle(slotSize, rotation)}
        alt={t('page', { page })}
        decoding="async"
        fetchPriority={page === 1 ? 'high' : 'auto'}
        draggable={false}
        onLoad={() => finishLoading({ loadedWidth })}
        onError={() => finishLoading('failed')}
        src={isNearViewport ? pageImageUrl(fileId, page, loadedWidth) : undefined}
      />
      {loadedWidth !== width && (
        <img hidden alt="" src={pageImageUrl(fileId, page, width)} onLoad={() => setState({ loadedWidth: width })} />
      )}
    </>
  );
}

/** Retries automatically after `Retry-After`, when the reader was rate limited for going through pages too fast. */
function useRetryAfter(error: unknown, onRetry: () => void): void {
  const retry = useEffectEvent(onRetry);
  const seconds = error instanceof ApiError ? error.retryAfter : undefined;
  useEffect(() => {
    if (seconds === undefined) return undefined;
    const timer = setTimeout(() => retry(), seconds * 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
}

interface PageImageErrorProps {
  fileId: number;
  page: number;
  width: number;
  attempt: number;
  onRetry: () => void;
}

/** An `<img>` doesn't expose its error, so this requests the page again to get the server's message. */
function PageImageError({ fileId, page, width, attempt, onRetry }: PageImageErrorProps) {
  const { t } = useTranslation('reader');
  const errorText = useErrorText();
  /** The width that failed: another width would have to be rendered just for the message. */
  const [failedWidth] = useState(width);
  const source = useReaderSource();
  const { queryKey, queryFn } = source.pageQuery(fileId, page, failedWidth);
  const { error } = useQuery({
    queryKey: [...queryKey, attempt],
    queryFn: async (context) => {
      await queryFn(context);
      return true;
    },
    gcTime: 0,
  });
  useRefetchWhenLocked(fileId, error);
  useRetryWhenOnline(onRetry);
  useRetryAfter(error, onRetry);
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
