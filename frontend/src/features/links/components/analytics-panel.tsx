import CloseRounded from '@mui/icons-material/CloseRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import type { LinkFigures } from '../api/use-links';
import { LinkAnalytics } from './link-analytics';

interface Props {
  open: boolean;
  zoneId: number;
  /** Null for the public link. */
  linkId: number | null;
  /** Name of the link. */
  name: string;
  figures: LinkFigures | undefined;
  error?: unknown;
  onRetry?: () => void;
  /** URL of the CSV file with every attempt. */
  csvUrl: string;
  onClose: () => void;
}

/** Analytics of a link, in a panel next to the list. */
export function AnalyticsPanel({ open, zoneId, linkId, name, figures, error, onRetry, csvUrl, onClose }: Props) {
  const { t } = useTranslation('links');
  const id = useId();
  return (
    <Drawer
      anchor="right"
      open={open}
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-labelledby': id, sx: { width: 'min(520px, 100vw)' } } }}
    >
      <Stack spacing={6} sx={{ p: { xs: 4, sm: 6 } }}>
        <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 2 }}>
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Typography id={id} variant="h2">
              {t('analytics.title')}
            </Typography>
            <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {name}
            </Typography>
          </Box>
          <IconButton aria-label={t('analytics.close')} onClick={onClose}>
            <CloseRounded />
          </IconButton>
        </Box>
        {error != null && !figures && <ErrorState title={t('analytics.failed')} error={error} onRetry={onRetry} />}
        {error == null && !figures && <RowsSkeleton />}
        {figures && <LinkAnalytics zoneId={zoneId} linkId={linkId} figures={figures} />}
        {figures && figures.totalAttempts > 0 && (
          <Button component="a" href={csvUrl} download startIcon={<DownloadRounded />} sx={{ alignSelf: 'flex-start' }}>
            {t('analytics.export')}
          </Button>
        )}
      </Stack>
    </Drawer>
  );
}
