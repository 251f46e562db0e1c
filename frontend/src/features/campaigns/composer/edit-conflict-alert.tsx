import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';

interface Props {
  overwriteRemote: () => Promise<void>;
  discardLocal: () => Promise<void>;
}

/** Says that the draft was saved in another tab in the meantime, and asks which version to keep. */
export function EditConflictAlert({ overwriteRemote, discardLocal }: Props) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const createHandler = (resolveConflict: () => Promise<void>) => () => {
    setBusy(true);
    void resolveConflict()
      .catch((error: unknown) => toast.error(t('errors.update'), errorText(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Alert severity="warning" sx={{ bgcolor: 'tint.warning', mb: 6 }}>
      {t('elsewhere.text')}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 3 }}>
        <Button disabled={busy} onClick={createHandler(discardLocal)}>
          {t('elsewhere.theirs')}
        </Button>
        <Button disabled={busy} onClick={createHandler(overwriteRemote)}>
          {t('elsewhere.mine')}
        </Button>
      </Box>
    </Alert>
  );
}
