import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../shared/api/client';
import { useErrorText } from '../../shared/hooks/use-error-text';

/** How wide the server draws pages, in pixels. */
const widths = [600, 1200, 2000];

const addressOf = (fileId: number, page: number, width: number) => `/api/files/${fileId}/pages/${page}?width=${width}`;

interface Props {
  fileId: number;
  page: number;
  /** On the screen, in pixels. */
  width: number;
  /** One that is far away is not fetched, and lets go of its picture. */
  isNear: boolean;
}

/** A page of a document as a picture, or why it cannot be shown. */
export function PageImage({ fileId, page, width, isNear }: Props) {
  const { t } = useTranslation('reader');
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const [tries, setTries] = useState(0);
  if (!isNear && state !== 'loading') setState('loading');
  const again = () => {
    setTries((before) => before + 1);
    setState('loading');
  };
  if (state === 'failed') return <FailedPage fileId={fileId} page={page} tries={tries} onRetry={again} />;
  const source = isNear && {
    src: addressOf(fileId, page, 1200),
    srcSet: widths.map((one) => `${addressOf(fileId, page, one)} ${one}w`).join(', '),
    sizes: `${Math.round(width)}px`,
  };
  return (
    <img
      key={`${tries} ${isNear}`}
      className={state === 'shown' ? 'z-reader-picture' : 'z-reader-picture z-reader-coming'}
      alt={t('page', { page })}
      decoding="async"
      fetchPriority={page === 1 ? 'high' : 'auto'}
      draggable={false}
      onLoad={() => setState('shown')}
      onError={() => setState('failed')}
      {...source}
    />
  );
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
