import VpnKeyRounded from '@mui/icons-material/VpnKeyRounded';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { RecoveryCodes } from '../../../shared/identity/factors/recovery-codes';
import { useAuthenticatorChanges } from '../../../shared/identity/factors/use-factors';
import { toast } from '../../../shared/toast/toast-store';
import { Badge } from '../../../shared/ui/badge';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { Row } from '../components/rows';

/** From here on new ones are worth making. */
const few = 3;

/** How many recovery codes are left, and new ones in their place. */
export function RecoveryRow({ left }: { left: number }) {
  const { t } = useTranslation('identity');
  const format = useFormat();
  const errorText = useErrorText();
  const titleId = useId();
  const { renewCodes } = useAuthenticatorChanges();
  const [asked, setAsked] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const renew = () =>
    renewCodes.mutate(undefined, {
      onSuccess: setCodes,
      onError: (error) => toast.error(t('factors.changeFailed'), errorText(error)),
      onSettled: () => setAsked(false),
    });
  const kept = () => {
    setCodes(null);
    toast.success(t('codes.renewed'));
  };
  return (
    <>
      <Row
        icon={<VpnKeyRounded />}
        title={
          <>
            {t('codes.rowTitle')}
            {left <= few && <Badge tone="warning">{t('codes.few')}</Badge>}
          </>
        }
        text={t('codes.left', { count: left, formatted: format.number(left) })}
        action={<Button onClick={() => setAsked(true)}>{t('codes.renew')}</Button>}
      />
      <ConfirmDialog
        open={asked}
        tone="plain"
        title={t('codes.renewTitle')}
        confirmLabel={t('codes.renew')}
        busy={renewCodes.isPending}
        onConfirm={renew}
        onClose={() => setAsked(false)}
      >
        {t('codes.renewText')}
      </ConfirmDialog>
      <Dialog open={codes !== null} aria-labelledby={titleId} maxWidth="xs" fullWidth>
        {codes && <RecoveryCodes titleId={titleId} codes={codes} onKept={kept} />}
      </Dialog>
    </>
  );
}
