import SmartphoneRounded from '@mui/icons-material/SmartphoneRounded';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { AuthenticatorDialog } from '../../../shared/factors/authenticator-dialog';
import { useAuthenticatorMutations, type Factors, type NewAuthenticator } from '../../../shared/factors/use-factors';
import { toast } from '../../../shared/toast/toast-store';
import { Badge } from '../../../shared/ui/badge';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { SettingRow } from '../components/setting-list';

/** The authenticator app: set it up, or see since when it is in use and remove it. */
export function AuthenticatorRow({ factors }: { factors: Factors }) {
  const { t } = useTranslation('verification');
  const format = useFormat();
  const errorText = useErrorText();
  const { startSetup, remove } = useAuthenticatorMutations();
  const [pendingAuthenticator, setPendingAuthenticator] = useState<NewAuthenticator | null>(null);
  const [isRemoveDialogOpen, setIsRemoveDialogOpen] = useState(false);
  const { authenticator } = factors;
  const showError = (error: unknown) => toast.error(t('factors.changeFailed'), errorText(error));
  const removeAuthenticator = () =>
    remove.mutate(undefined, {
      onSuccess: () => toast.success(t('app.removed')),
      onError: showError,
      onSettled: () => setIsRemoveDialogOpen(false),
    });
  return (
    <>
      <SettingRow
        icon={<SmartphoneRounded />}
        title={
          <>
            {t('app.title')}
            {authenticator && <Badge tone="success">{t('factors.on')}</Badge>}
          </>
        }
        text={authenticator ? t('app.since', { when: format.date(authenticator.enrolledAt) }) : t('app.text')}
        action={
          authenticator ? (
            <Button aria-label={t('app.removeName')} onClick={() => setIsRemoveDialogOpen(true)}>
              {t('factors.remove')}
            </Button>
          ) : (
            <Button
              aria-label={t('app.setUpName')}
              loading={startSetup.isPending}
              onClick={() => startSetup.mutate(undefined, { onSuccess: setPendingAuthenticator, onError: showError })}
            >
              {t('factors.setUp')}
            </Button>
          )
        }
      />
      <AuthenticatorDialog authenticator={pendingAuthenticator} onClose={() => setPendingAuthenticator(null)} />
      <ConfirmDialog
        open={isRemoveDialogOpen}
        title={t('app.removeTitle')}
        confirmLabel={t('factors.remove')}
        isPending={remove.isPending}
        onConfirm={removeAuthenticator}
        onClose={() => setIsRemoveDialogOpen(false)}
      >
        {t(factors.passkeys.length > 0 ? 'app.removeText' : 'app.removeLastText')}
      </ConfirmDialog>
    </>
  );
}
