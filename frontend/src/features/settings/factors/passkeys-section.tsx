import AddRounded from '@mui/icons-material/AddRounded';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { supportsPasskeys } from '../../../shared/factors/browser-passkeys';
import { RecoveryCodes } from '../../../shared/factors/recovery-codes';
import { useFactors } from '../../../shared/factors/use-factors';
import { usePasskeyErrorText } from '../../../shared/factors/use-passkey-error-text';
import { usePasskeyMutations } from '../../../shared/factors/use-passkey-mutations';
import { toast } from '../../../shared/toast/toast-store';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { useFormatDeviceName } from '../components/security/use-format-device-name';
import { parseUserAgent } from '../parse-user-agent';
import { SettingList } from '../components/setting-list';
import { Section, SectionBody } from '../components/section';
import { PasskeyRow } from './passkey-row';

/** The user's passkeys, which sign in without a password. */
export function PasskeysSection() {
  const { t } = useTranslation('settings');
  const { data: factors, error } = useFactors();
  const isSupported = supportsPasskeys();
  // The two-step sign-in section shows the error.
  if (error && !factors) return null;
  return (
    <Section
      id="passkeys"
      title={t('passkeys.title')}
      text={t('passkeys.text')}
      action={isSupported && <AddPasskeyButton />}
    >
      {factors && factors.passkeys.length > 0 ? (
        <SettingList label={t('passkeys.title')}>
          {factors.passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} factors={factors} />
          ))}
        </SettingList>
      ) : (
        <SectionBody>
          {factors ? (
            <Typography color="textSecondary">{t(isSupported ? 'passkeys.empty' : 'passkeys.unsupported')}</Typography>
          ) : (
            <RowsSkeleton rows={1} />
          )}
        </SectionBody>
      )}
    </Section>
  );
}

function AddPasskeyButton() {
  const { t } = useTranslation('settings');
  const titleId = useId();
  const errorText = usePasskeyErrorText();
  const { add, invalidateFactors } = usePasskeyMutations();
  const formatDeviceName = useFormatDeviceName();
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null);
  const addPasskey = () =>
    add.mutate(formatDeviceName(parseUserAgent(navigator.userAgent)), {
      onSuccess: ({ passkey, recoveryCodes: newRecoveryCodes }) => {
        if (newRecoveryCodes.length > 0) setRecoveryCodes(newRecoveryCodes);
        toast.success(t('passkeys.added'), passkey.name);
      },
      onError: (error) => {
        const message = errorText(error);
        if (message) toast.error(t('passkeys.addFailed'), message);
      },
    });
  const handleCodesSaved = () => {
    setRecoveryCodes(null);
    void invalidateFactors();
  };
  return (
    <>
      <Button startIcon={<AddRounded />} loading={add.isPending} loadingPosition="start" onClick={addPasskey}>
        {t('passkeys.add')}
      </Button>
      <Dialog open={recoveryCodes !== null} aria-labelledby={titleId} maxWidth="xs" fullWidth>
        {recoveryCodes && <RecoveryCodes titleId={titleId} codes={recoveryCodes} onSaved={handleCodesSaved} />}
      </Dialog>
    </>
  );
}
