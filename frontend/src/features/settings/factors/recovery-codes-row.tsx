import VpnKeyRounded from '@mui/icons-material/VpnKeyRounded';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { RecoveryCodes } from '../../../shared/factors/recovery-codes';
import { useAuthenticatorMutations } from '../../../shared/factors/use-factors';
import { toast } from '../../../shared/toast/toast-store';
import { Badge } from '../../../shared/ui/badge';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { SettingRow } from '../components/setting-list';

/** At or below this number, new codes should be created. */
const LOW_CODES_THRESHOLD = 3;

/** The number of unused recovery codes, with an action to replace them. */
export function RecoveryCodesRow({ codesLeft }: { codesLeft: number }) {
  const { t } = useTranslation('verification');
  const format = useFormat();
  const errorText = useErrorText();
  const titleId = useId();
  const { renewCodes } = useAuthenticatorMutations();
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  const [newCodes, setNewCodes] = useState<string[] | null>(null);
  const renew = () =>
    renewCodes.mutate(undefined, {
      onSuccess: setNewCodes,
      onError: (error) => toast.error(t('factors.changeFailed'), errorText(error)),
      onSettled: () => setIsConfirmOpen(false),
    });
  const handleCodesSaved = () => {
    setNewCodes(null);
    toast.success(t('codes.renewed'));
  };
  return (
    <>
      <SettingRow
        icon={<VpnKeyRounded />}
        title={
          <>
            {t('codes.rowTitle')}
            {codesLeft <= LOW_CODES_THRESHOLD && <Badge tone="warning">{t('codes.few')}</Badge>}
          </>
        }
        text={t('codes.left', { count: codesLeft, formatted: format.number(codesLeft) })}
        action={<Button onClick={() => setIsConfirmOpen(true)}>{t('codes.renew')}</Button>}
      />
      <ConfirmDialog
        open={isConfirmOpen}
        tone="plain"
        title={t('codes.renewTitle')}
        confirmLabel={t('codes.renew')}
        isPending={renewCodes.isPending}
        onConfirm={renew}
        onClose={() => setIsConfirmOpen(false)}
      >
        {t('codes.renewText')}
      </ConfirmDialog>
      <Dialog open={newCodes !== null} aria-labelledby={titleId} maxWidth="xs" fullWidth>
        {newCodes && <RecoveryCodes titleId={titleId} codes={newCodes} onSaved={handleCodesSaved} />}
      </Dialog>
    </>
  );
}
