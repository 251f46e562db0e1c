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
import { useCompleteOnboardingStep } from '../../../shared/account/use-onboarding';
import { CopyField } from '../../../shared/ui/fields/copy-field';
import { lazyComponent } from '../../../shared/ui/lazy-component';
import { QrDownloads } from './qr-downloads';

interface Props {
  open: boolean;
  /** Name of the link's target. */
  name: string;
  address: string;
  /** The link was just created. */
  isNew?: boolean;
  onClose: () => void;
}

const QrCode = lazyComponent(
  () => import('./qr-code').then((m) => m.QrCode),
  // As high as the code with its downloads, so that the dialog doesn't grow under the pointer.
  () => (
    <>
      <Skeleton variant="rectangular" width={232} height={232} />
      <QrDownloads disabled />
    </>
  ),
);

/** A link to share: its URL, and a QR code for posters and slides, generated in the browser. */
export function QrDialog({ open, name, address, isNew = false, onClose }: Props) {
  const { t } = useTranslation('links');
  const id = useId();
  const completeOnboardingStep = useCompleteOnboardingStep();
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={id} maxWidth="xs" fullWidth>
      <DialogTitle id={id}>{t(isNew ? 'qr.createdTitle' : 'qr.title')}</DialogTitle>
      <DialogContent>
        <Typography color="textSecondary" sx={{ mb: 4, overflowWrap: 'anywhere' }}>
          {t('qr.text', { name })}
        </Typography>
        <CopyField
          label={t('qr.address')}
          value={address}
          failureMessage={t('copyFailedText')}
          onCopied={() => completeOnboardingStep('link')}
        />
        <Box sx={{ display: 'grid', justifyItems: 'center', gap: 4, mt: 4 }}>
          {open && <QrCode address={address} />}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('qr.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
