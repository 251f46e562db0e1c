import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { latePart } from '../../../shared/ui/late-part';

interface Props {
  open: boolean;
  /** Where it leads, by its name. */
  name: string;
  address: string;
  onClose: () => void;
}

const QrCode = latePart(
  () => import('./qr-code').then((m) => m.QrCode),
  () => <Skeleton variant="rectangular" width={232} height={232} />,
);

/** The link as a picture for posters and slides, drawn here. */
export function QrDialog({ open, name, address, onClose }: Props) {
  const { t } = useTranslation('links');
  const id = useId();
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={id} maxWidth="xs">
      <DialogTitle id={id}>{t('qr.title')}</DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mb: 4, overflowWrap: 'anywhere' }}>
          {t('qr.text', { name })}
        </Typography>
        <Box sx={{ display: 'grid', justifyItems: 'center', gap: 4 }}>{open && <QrCode address={address} />}</Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('qr.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
