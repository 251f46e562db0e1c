import { useQuery } from '@tanstack/react-query';
import { useState, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useLockedAgain } from '../locked/use-locked-again';
import type { Turn } from './page-layout';

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
}

/** A page of a document as a picture, or why it cannot be shown. While a wider one comes, the one before stays. */
export function PageImage({ fileId, page, width, turn, box, isNear }: Props) {
  const { t } = useTranslation('reader');
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const [tries, setTries] = useState(0);
  if (!isNear && state !== 'loading') setState('loading');
  const again = () => {
    setTries((before) => before + 1);
    setState('loading');
  };
  if (state === 'failed') return <FailedPage fileId={fileId} page={page} tries={tries} onRetry={again} />;
  return (
    <img
      key={`${tries} ${isNear}`}
      className={state === 'shown' ? 'z-reader-picture' : 'z-reader-picture z-reader-coming'}
      style={turnedIn(box, turn)}
      alt={t('page', { page })}
      decoding="async"
      fetchPriority={page === 1 ? 'high' : 'auto'}
      draggable={false}
      onLoad={() => setState('shown')}
      onError={() => setState('failed')}
      src={isNear ? addressOf(fileId, page, width) : undefined}
    />
  );
}

/** A picture stays as the server drew it: on its side it has the place's height for its width. */
function turnedIn({ width, height }: Props['box'], turn: Turn): CSSProperties | undefined {
  if (turn === 0) return undefined;
  const isAcross = turn % 2 === 1;
  return {
    ...{ position: 'absolute', left: '50%', top: '50%' },
    ...{ width: isAcross ? height : width, height: isAcross ? width : height, maxWidth: 'none' },
    transform: `translate(-50%, -50%) rotate(${turn * 90}deg)`,
  };
}

interface FailedProps {
  fileId: number;
  page: number;
  tries: number;
  onRetry: () => void;
}

/** A picture tells no reason; asked for once more, the server gives its sentence. */
function FailedPage({ fileId, page, tries, onRetry }: FailedProps) {
  const { t } = useTranslation('reader');
  const errorText = useErrorText();
  const { error } = useQuery({
    queryKey: ['get', '/api/files/{id}/pages/{page}', { fileId, page, tries }],
    queryFn: async ({ signal }) => {
      await api.GET('/api/files/{id}/pages/{page}', {
        params: { path: { id: fileId, page } },
        parseAs: 'arrayBuffer',
        signal,
      });
      return true;
    },
    gcTime: 0,
  });
  useLockedAgain(error);
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
