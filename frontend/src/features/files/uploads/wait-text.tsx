import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { useNow } from '../../../shared/hooks/use-now';
import type { UploadItem } from './sending/upload-item';

type Waiting = UploadItem & { readonly waitsFor: ApiError };

/** True for a file that does not move at the moment and goes on by itself. */
export const isWaiting = (item: UploadItem): item is Waiting =>
  item.state === 'uploading' && item.waitsFor instanceof ApiError;

/** Why a file waits, and in how many seconds it goes on. */
export function WaitText({ item: { waitsFor, goesOnAt } }: { item: Waiting }) {
  const { t } = useTranslation('files');
  const errorText = useErrorText();
  const format = useFormat();
  const now = useNow(1000);
  if (waitsFor.status === 0) return t('uploads.offline');
  const reason = errorText(waitsFor);
  const left = goesOnAt == null ? 0 : Math.ceil((goesOnAt - now) / 1000);
  return left > 0
    ? t('uploads.waitsUntil', { reason, seconds: format.number(left) })
    : t('uploads.waitsFor', { reason });
}
