import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { useNow } from '../../../shared/hooks/use-now';
import type { UploadItem } from './sending/upload-item';

type WaitingItem = UploadItem & { readonly waitReason: ApiError };

/** Whether an upload is waiting and will resume automatically. */
export const isWaiting = (item: UploadItem): item is WaitingItem =>
  item.state === 'uploading' && item.waitReason instanceof ApiError;

/** Why a file waits, and in how many seconds it resumes. */
export function WaitText({ item: { waitReason, resumesAt } }: { item: WaitingItem }) {
  const { t } = useTranslation('files');
  const errorText = useErrorText();
  const format = useFormat();
  const now = useNow(1000);
  if (waitReason.status === 0) return t('uploads.offline');
  const reason = errorText(waitReason);
  const secondsLeft = resumesAt == null ? 0 : Math.ceil((resumesAt - now) / 1000);
  return secondsLeft > 0
    ? t('uploads.waitsUntil', { reason, seconds: format.number(secondsLeft) })
    : t('uploads.waitsFor', { reason });
}
