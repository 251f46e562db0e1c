import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';

interface Props {
  /** True while the code is loading. */
  disabled?: boolean;
  onPng?: () => void;
  onSvg?: () => void;
}

/** The downloads of a QR code. */
export function QrDownloads({ disabled = false, onPng, onSvg }: Props) {
  const { t } = useTranslation('links');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: 2 }}>
      <Button startIcon={<DownloadRounded />} disabled={disabled} onClick={onPng}>
        {t('qr.png')}
      </Button>
      <Button startIcon={<DownloadRounded />} disabled={disabled} onClick={onSvg}>
        {t('qr.svg')}
      </Button>
    </Box>
  );
}
