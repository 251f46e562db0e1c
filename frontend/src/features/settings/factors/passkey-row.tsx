import FingerprintRounded from '@mui/icons-material/FingerprintRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import type { Factors } from '../../../shared/factors/use-factors';
import { usePasskeyMutations, type Passkey } from '../../../shared/factors/use-passkey-mutations';
import { toast } from '../../../shared/toast/toast-store';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { SettingRow } from '../components/setting-list';
import { RenamePasskeyDialog } from './rename-passkey-dialog';

/** A passkey: its name, when it was added, and when it was last used. */
export function PasskeyRow({ passkey, factors }: { passkey: Passkey; factors: Factors }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const errorText = useErrorText();
  const { remove } = usePasskeyMutations();
  const [activeDialog, setActiveDialog] = useState<'rename' | 'remove' | null>(null);
  const { id, name, createdAt, lastUsedAt } = passkey;
  const isLastFactor = factors.passkeys.length === 1 && !factors.authenticator;
  const close = () => setActiveDialog(null);
  // Not in the mutation's callbacks: the row is unmounted before the mutation ends.
  const removePasskey = async () => {
    try {
      await remove.mutateAsync(id);
      toast.success(t('passkeys.removed', { name }));
    } catch (error) {
      toast.error(t('passkeys.changeFailed'), errorText(error));
    }
    close();
  };
  const lastUseText = lastUsedAt ? t('passkeys.used', { when: format.date(lastUsedAt) }) : t('passkeys.unused');
  return (
    <>
      <SettingRow
        icon={<FingerprintRounded />}
        title={<span style={{ overflowWrap: 'anywhere' }}>{name}</span>}
        text={`${t('passkeys.since', { when: format.date(createdAt) })} · ${lastUseText}`}
        action={
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            <Button aria-label={t('passkeys.renameName', { name })} onClick={() => setActiveDialog('rename')}>
              {t('passkeys.rename')}
            </Button>
            <Button aria-label={t('passkeys.removeName', { name })} onClick={() => setActiveDialog('remove')}>
              {t('passkeys.remove')}
            </Button>
          </Box>
        }
      />
      <RenamePasskeyDialog open={activeDialog === 'rename'} passkey={passkey} onClose={close} />
      <ConfirmDialog
        open={activeDialog === 'remove'}
        title={t('passkeys.removeTitle', { name })}
        confirmLabel={t('passkeys.remove')}
        isPending={remove.isPending}
        onConfirm={() => void removePasskey()}
        onClose={close}
      >
        {t(isLastFactor ? 'passkeys.removeLastText' : 'passkeys.removeText')}
      </ConfirmDialog>
    </>
  );
}
