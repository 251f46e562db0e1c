import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Conflicting fields: label and the value saved elsewhere. */
  fields: readonly { label: string; remoteValue: string }[];
  isSaving: boolean;
  onUseRemote: () => void;
  onKeepLocal: () => void;
}

/** Shows fields that were changed elsewhere in the meantime, and lets the user choose between both versions. */
export function EditConflictNotice({ fields, isSaving, onUseRemote, onKeepLocal }: Props) {
  const { t } = useTranslation();
  return (
    <Alert severity="warning">
      <AlertTitle>{t('form.changedTitle')}</AlertTitle>
      {t('form.changedText')}
      <Box component="dl" sx={{ m: 0, mt: 3, display: 'grid', gap: 2 }}>
        {fields.map(({ label, remoteValue }) => (
          <Box key={label}>
            <Typography component="dt" variant="subtitle2">
              {t('form.changedThere', { label })}
            </Typography>
            <Typography component="dd" sx={{ m: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
              {remoteValue || t('form.changedEmpty')}
            </Typography>
          </Box>
        ))}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 3 }}>
        <Button onClick={onUseRemote} disabled={isSaving}>
          {t('form.takeTheirs')}
        </Button>
        <Button variant="contained" onClick={onKeepLocal} loading={isSaving} loadingPosition="start">
          {t('form.keepMine')}
        </Button>
      </Box>
    </Alert>
  );
}
