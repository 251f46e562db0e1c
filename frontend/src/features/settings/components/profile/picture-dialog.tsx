import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

/** A file with an object URL for its preview. */
export interface SelectedPicture {
  file: File;
  url: string;
}

interface Props {
  picture: SelectedPicture | null;
  isUploading: boolean;
  onConfirm: (file: File) => void;
  /** Called if the browser can't display the file. */
  onUnreadable: () => void;
  onClose: () => void;
}

/** Previews a chosen picture in both sizes before it is saved. */
export function PictureDialog({ picture, isUploading, onConfirm, onUnreadable, onClose }: Props) {
  const { t } = useTranslation('settings');
  const { t: tCommon } = useTranslation();
  const titleId = useId();
  return (
    <Dialog open={picture !== null} onClose={isUploading ? undefined : onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('picture.preview')}</DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mb: 4 }}>
          {t('picture.previewText')}
        </Typography>
        {picture && <PicturePreview url={picture.url} onUnreadable={onUnreadable} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={isUploading}>
          {tCommon('actions.cancel')}
        </Button>
        <Button
          variant="contained"
          color="primary"
          loading={isUploading}
          loadingPosition="start"
          onClick={() => picture && onConfirm(picture.file)}
        >
          {t('picture.use')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function PicturePreview({ url, onUnreadable }: { url: string; onUnreadable: () => void }) {
  const { t } = useTranslation('settings');
  return (
    <Box sx={{ display: 'flex', alignItems: 'flex-end', justifyContent: 'center', gap: 6 }}>
      <Box component="img" src={url} alt={t('picture.preview')} onError={onUnreadable} sx={avatarStyles(160)} />
      <Box component="img" src={url} alt={t('picture.previewSmall')} sx={avatarStyles(32)} />
    </Box>
  );
}

const avatarStyles = (size: number) => ({ width: size, height: size, borderRadius: '50%', objectFit: 'cover' });
