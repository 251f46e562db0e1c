import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../shared/ui/copy-button';
import { formatBody } from './format-body';

/** The body of a delivery, which can be copied, with a note if parts are masked or missing. */
export function RawBody({ body, isMasked }: { body: string | null; isMasked: boolean }) {
  const { t } = useTranslation('integrations');
  const titleId = useId();
  const text = body === null ? '' : formatBody(body);
  return (
    <Box component="section" aria-labelledby={titleId} sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 3, minHeight: 36 }}>
        <Typography id={titleId} variant="h3">
          {t('detail.body')}
        </Typography>
        {body !== null && <CopyButton value={text} />}
      </Box>
      {body === null && <Typography color="textSecondary">{t('detail.gone')}</Typography>}
      {body !== null && isMasked && <Alert severity="info">{t('detail.masked')}</Alert>}
      {body !== null && (
        <Box
          component="pre"
          tabIndex={0}
          aria-labelledby={titleId}
          role="group"
          dir="ltr"
          sx={{
            m: 0,
            p: 4,
            maxHeight: 400,
            overflow: 'auto',
            borderRadius: 1,
            bgcolor: 'tint.neutral',
            typography: 'body2',
            fontFamily: 'monospace',
          }}
        >
          {text}
        </Box>
      )}
    </Box>
  );
}
