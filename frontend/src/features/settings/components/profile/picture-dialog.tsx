import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

/** A file, with an address at which this page alone can show it. */
export interface ChosenPicture {
  file: File;
  url: string;
}

interface Props {
  chosen: ChosenPicture | null;
  sending: boolean;
  onUse: (file: File) => void;
  /** The browser cannot show the file. */
  onUnreadable: () => void;
  onClose: () => void;
}

/** Shows a chosen picture as it will appear, large and small, before it is saved. */
export function PictureDialog({ chosen, sending, onUse, onUnreadable, onClose }: Props) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation();
  const id = useId();
  return (
    <Dialog open={chosen !== null} onClose={sending ? undefined : onClose} aria-labelledby={id}>
      <DialogTitle id={id}>{t('picture.preview')}</DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mb: 4 }}>
          {t('picture.previewText')}
        </Typography>
        {chosen && <Preview url={chosen.url} onUnreadable={onUnreadable} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={sending}>
          {common('actions.cancel')}
        </Button>
        <Button
          variant="contained"
          color="primary"
          loading={sending}
          loadingPosition="start"
          onClick={() => chosen && onUse(chosen.file)}
        >
          {t('picture.use')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Preview({ url, onUnreadable }: { url: string; onUnreadable: () => void }) {
  const { t } = useTranslation('settings');
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-end', justifyContent: 'center', gap: 6 }}>
      <Box component="img" src={url} alt={t('picture.preview')} onError={onUnreadable} sx={round(160)} />
      <Box component="img" src={url} alt={t('picture.previewSmall')} sx={round(32)} />
    </Box>
  );
}

const round = (size: number) => ({ width: size, height: size, borderRadius: '50%', objectFit: 'cover' });
