import ReplayRounded from '@mui/icons-material/ReplayRounded';
import MenuItem, { type MenuItemProps } from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useInvalidate } from '../../../shared/api/invalidate';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';

interface Props extends MenuItemProps {
  fileId: number;
  onClose: () => void;
}

/** Queues a document for rendering again. Passes on the props that the menu adds to its items to manage focus. */
export function RetryRenderingItem({ fileId, onClose, ...item }: Props) {
  const { t } = useTranslation('files');
  const invalidate = useInvalidate();
  const errorText = useErrorText();
  const { mutate } = $api.useMutation('post', '/api/files/{id}/pages/retry', {
    onSuccess: () => {
      toast.success(t('notDrawn.retrying'));
      return invalidate('POST /api/files/{id}/pages/retry');
    },
    onError: (error: unknown) => toast.error(t('notDrawn.retryFailed'), errorText(error)),
  });
  const retry = () => {
    onClose();
    mutate({ params: { path: { id: fileId } } });
  };
  return (
    <MenuItem {...item} onClick={retry}>
      <ReplayRounded />
      {t('notDrawn.retry')}
    </MenuItem>
  );
}
