import { useTranslation } from 'react-i18next';
import { $api } from '../../shared/api/client';
import { useInvalidate } from '../../shared/api/invalidate';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';
import type { ReaderFile } from './source/reader-source';

/** Queues a document for rendering again, for people who manage it; not offered for empty documents. */
export function RetryButton({ file }: { file: ReaderFile }) {
  const { t } = useTranslation('reader');
  const invalidate = useInvalidate();
  const errorText = useErrorText();
  const retry = $api.useMutation('post', '/api/files/{id}/pages/retry', {
    onSuccess: () => invalidate('POST /api/files/{id}/pages/retry'),
    onError: (error: unknown) => toast.error(t('failed'), errorText(error)),
  });
  if (!file.can.rename || file.size === 0) return null;
  return (
    <button
      type="button"
      className="z-button"
      disabled={retry.isPending}
      onClick={() => retry.mutate({ params: { path: { id: file.id } } })}
    >
      {t('retry')}
    </button>
  );
}
