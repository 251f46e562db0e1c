import AddRounded from '@mui/icons-material/AddRounded';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { knowsPasskeys } from '../../../shared/identity/factors/browser-passkeys';
import { RecoveryCodes } from '../../../shared/identity/factors/recovery-codes';
import { useFactors } from '../../../shared/identity/factors/use-factors';
import { usePasskeyErrorText } from '../../../shared/identity/factors/use-passkey-error-text';
import { usePasskeyChanges } from '../../../shared/identity/factors/use-passkeys';
import { toast } from '../../../shared/toast/toast-store';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { useDeviceName } from '../components/security/use-device-name';
import { deviceOf } from '../device';
import { Rows } from '../components/rows';
import { Section, SectionBody } from '../components/section';
import { PasskeyRow } from './passkey-row';

/** Keys of the person's devices, which sign in without a password. */
export function PasskeysSection() {
  const { t } = useTranslation('settings');
  const { data: factors, error } = useFactors();
  const supported = knowsPasskeys();
  // The section on two-step sign-in says why the factors could not be read.
  if (error && !factors) return null;
  return (
    <Section id="passkeys" title={t('passkeys.title')} text={t('passkeys.text')} action={supported && <AddPasskey />}>
      {factors && factors.passkeys.length > 0 ? (
        <Rows label={t('passkeys.title')}>
          {factors.passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} factors={factors} />
          ))}
        </Rows>
      ) : (
        <SectionBody>
          {factors ? (
            <Typography color="textSecondary">{t(supported ? 'passkeys.empty' : 'passkeys.unsupported')}</Typography>
          ) : (
            <RowsSkeleton rows={1} />
          )}
        </SectionBody>
      )}
    </Section>
  );
}

function AddPasskey() {
  const { t } = useTranslation('settings');
  const titleId = useId();
  const errorText = usePasskeyErrorText();
  const { add, refresh } = usePasskeyChanges();
  const deviceName = useDeviceName();
  const [codes, setCodes] = useState<string[] | null>(null);
  const start = () =>
    add.mutate(deviceName(deviceOf(navigator.userAgent)), {
      onSuccess: ({ passkey, recoveryCodes }) => {
        if (recoveryCodes.length > 0) setCodes(recoveryCodes);
        toast.success(t('passkeys.added'), passkey.name);
      },
      onError: (error) => {
        const sentence = errorText(error);
        if (sentence) toast.error(t('passkeys.addFailed'), sentence);
      },
    });
  const kept = () => {
    setCodes(null);
    void refresh();
  };
  return (
    <>
      <Button startIcon={<AddRounded />} loading={add.isPending} loadingPosition="start" onClick={start}>
        {t('passkeys.add')}
      </Button>
      <Dialog open={codes !== null} aria-labelledby={titleId} maxWidth="xs" fullWidth>
        {codes && <RecoveryCodes titleId={titleId} codes={codes} onKept={kept} />}
      </Dialog>
    </>
  );
}
