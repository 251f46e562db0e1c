import SmartphoneRounded from '@mui/icons-material/SmartphoneRounded';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { AuthenticatorDialog } from '../../../shared/identity/factors/authenticator-dialog';
import {
  useAuthenticatorChanges,
  type Factors,
  type NewAuthenticator,
} from '../../../shared/identity/factors/use-factors';
import { toast } from '../../../shared/toast/toast-store';
import { Badge } from '../../../shared/ui/badge';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { Row } from '../components/rows';

/** The authenticator app: to be set up, or since when it is, to be removed. */
export function AuthenticatorRow({ factors }: { factors: Factors }) {
  const { t } = useTranslation('identity');
  const format = useFormat();
  const errorText = useErrorText();
  const { begin, remove } = useAuthenticatorChanges();
  const [begun, setBegun] = useState<NewAuthenticator | null>(null);
  const [removing, setRemoving] = useState(false);
  const { authenticator } = factors;
  const failed = (error: unknown) => toast.error(t('factors.changeFailed'), errorText(error));
  const takeAway = () =>
    remove.mutate(undefined, {
      onSuccess: () => toast.success(t('app.removed')),
      onError: failed,
      onSettled: () => setRemoving(false),
    });
  return (
    <>
      <Row
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
            <Button aria-label={t('app.removeName')} onClick={() => setRemoving(true)}>
              {t('factors.remove')}
            </Button>
          ) : (
            <Button
              aria-label={t('app.setUpName')}
              loading={begin.isPending}
              onClick={() => begin.mutate(undefined, { onSuccess: setBegun, onError: failed })}
            >
              {t('factors.setUp')}
            </Button>
          )
        }
      />
      <AuthenticatorDialog begun={begun} onClose={() => setBegun(null)} />
      <ConfirmDialog
        open={removing}
        title={t('app.removeTitle')}
        confirmLabel={t('factors.remove')}
        busy={remove.isPending}
        onConfirm={takeAway}
        onClose={() => setRemoving(false)}
      >
        {t(factors.passkeys.length > 0 ? 'app.removeText' : 'app.removeLastText')}
      </ConfirmDialog>
    </>
  );
}
