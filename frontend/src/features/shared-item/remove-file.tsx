import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schema } from '../../shared/api/client';
import { useInvalidate } from '../../shared/api/invalidate';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';

/** Removes a file that the visitor sent, after a question in its place. */
export function RemoveFile({ token, file: { id, name } }: { token: string; file: Schema<'SharedFileDto'> }) {
  const { t } = useTranslation('sharedItem');
  const errorText = useErrorText();
  const invalidate = useInvalidate();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.DELETE('/api/shared/{token}/files/{id}', { params: { path: { token, id } } }),
    onSuccess: () => toast.success(t('request.removed')),
    onError: (error) => toast.error(t('request.removeFailed'), errorText(error)),
    onSettled: () => {
      setAsking(false);
      return invalidate('DELETE /api/shared/{token}/files/{id}');
    },
  });
  if (!isAsking)
    return (
      <button
        type="button"
        className="z-button z-button-quiet"
        aria-label={t('request.removeFile', { name })}
        onClick={() => setAsking(true)}
      >
        {t('request.remove')}
      </button>
    );
  return (
    <div className="z-shared-ask" role="group" aria-label={t('request.removeFile', { name })}>
      <span>{t('request.removeAsk')}</span>
      <button
        type="button"
        className="z-button"
        // The button that opened the question is gone.
        autoFocus
        aria-disabled={remove.isPending}
        onClick={() => !remove.isPending && remove.mutate()}
      >
        {t('request.remove')}
      </button>
      <button type="button" className="z-button z-button-quiet" onClick={() => setAsking(false)}>
        {t('request.keep')}
      </button>
    </div>
  );
}
