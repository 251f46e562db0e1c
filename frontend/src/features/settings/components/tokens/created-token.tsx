import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormDialog } from '../../../../shared/forms/form-dialog';
import { CopyField } from '../../../../shared/ui/fields/copy-field';
import type { NewApiToken } from '../../api/use-api-tokens';

/** Shows a new token, which is displayed only once, and how to use it. */
export function CreatedToken({ createdToken }: { createdToken: NewApiToken }) {
  const { titleId, close } = useFormDialog();
  const { t } = useTranslation('settings');
  const curlExample = `curl -H "Authorization: Bearer ${createdToken.token}" ${location.origin}/api/zones`;
  return (
    <>
      <DialogTitle id={titleId}>{t('newToken.madeTitle')}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>
          <Alert severity="warning">{t('newToken.madeText')}</Alert>
          <CopyField label={t('newToken.token')} value={createdToken.token} failureMessage={t('newToken.copyFailed')} />
          <Box>
            <Typography variant="subtitle2" sx={{ mb: 1 }}>
              {t('newToken.example')}
            </Typography>
            <Box
              component="pre"
              dir="ltr"
              sx={{
                m: 0,
                p: 3,
                borderRadius: 1,
                bgcolor: 'tint.neutral',
                typography: 'body2',
                fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
                whiteSpace: 'pre-wrap',
                overflowWrap: 'anywhere',
              }}
            >
              {curlExample}
            </Box>
          </Box>
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" onClick={close}>
          {t('newToken.done')}
        </Button>
      </DialogActions>
    </>
  );
}
