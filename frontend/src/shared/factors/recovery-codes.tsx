import DownloadRounded from '@mui/icons-material/DownloadRounded';
import PrintRounded from '@mui/icons-material/PrintRounded';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppName } from '../site/app-name';
import { saveFile } from '../files/save-file';
import { CopyButton } from '../ui/copy-button';
import { printText } from './print-text';

interface Props {
  titleId: string;
  codes: readonly string[];
  onSaved: () => void;
}

/** Newly created recovery codes, which are shown only once. Closes only after the user has saved them. */
export function RecoveryCodes({ titleId, codes, onSaved }: Props) {
  const { t } = useTranslation('verification');
  const [isSaved, setIsSaved] = useState(false);
  const heading = t('codes.heading', { app: useAppName() });
  const text = `${heading}\n${t('codes.once')}\n\n${codes.join('\n')}\n`;
  return (
    <>
      <DialogTitle id={titleId}>{t('codes.title')}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>
          <Typography color="textSecondary">{t('codes.text')}</Typography>
          <CodeList codes={codes} />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            <CopyButton value={codes.join('\n')} />
            <Button
              startIcon={<DownloadRounded />}
              onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), t('codes.file'))}
            >
              {t('codes.download')}
            </Button>
            <Button startIcon={<PrintRounded />} onClick={() => printText(heading, text)}>
              {t('codes.print')}
            </Button>
          </Box>
          <Alert severity="warning">{t('codes.warning')}</Alert>
          <FormControlLabel
            control={<Checkbox checked={isSaved} onChange={(event) => setIsSaved(event.target.checked)} />}
            label={t('codes.saved')}
          />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" disabled={!isSaved} onClick={onSaved}>
          {t('codes.done')}
        </Button>
      </DialogActions>
    </>
  );
}

function CodeList({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('verification');
  return (
    <Box
      component="ol"
      dir="ltr"
      aria-label={t('codes.title')}
      sx={{
        display: 'grid',
        gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
        gap: 2,
        m: 0,
        p: 4,
        listStyle: 'none',
        borderRadius: 1,
        bgcolor: 'tint.neutral',
        fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
        textAlign: 'center',
        overflowWrap: 'anywhere',
      }}
    >
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </Box>
  );
}
