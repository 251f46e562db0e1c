import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useTouched } from '../../../shared/api/touch';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useNow } from '../../../shared/hooks/use-now';
import { toast } from '../../../shared/toast/toast-store';
import { expiryOf } from '../expiry';
import type { SharedZone } from '../sort-shared-zones';

/** Takes a zone off the list once the membership is over. */
export function DismissZoneButton({ zone: { id, name, memberExpiresAt } }: { zone: SharedZone }) {
  const { t } = useTranslation('sharedZones');
  const errorText = useErrorText();
  const touched = useTouched();
  const dismissal = $api.useMutation('delete', '/api/shared-zones/{id}', {
    onSuccess: () => {
      toast.success(t('dismiss.done'), t('dismiss.doneText', { name }));
      return touched('DELETE /api/shared-zones/{id}');
    },
    onError: (error) => toast.error(t('dismiss.failed'), errorText(error)),
  });
  if (expiryOf(memberExpiresAt, useNow()).kind !== 'expired') return null;
  return (
    <Button
      disabled={dismissal.isPending}
      aria-label={t('dismiss.actionOf', { name })}
      onClick={() => dismissal.mutate({ params: { path: { id } } })}
    >
      {t('dismiss.action')}
    </Button>
  );
}
