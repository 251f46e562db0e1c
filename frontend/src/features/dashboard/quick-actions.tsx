import CampaignRounded from '@mui/icons-material/CampaignRounded';
import UploadRounded from '@mui/icons-material/UploadRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { useQuotaGate } from '../../shared/plan/use-quota-gate';
import { DashboardCard } from './panel';
import { UploadDialog } from './upload-dialog';

const UPLOAD_DIALOG = 'upload';

/** The most common actions. `?do=upload` opens the upload dialog. */
export function QuickActions({ inviteAction }: { inviteAction?: ReactNode }) {
  const { t } = useTranslation('dashboard');
  const [query, setQuery] = useSearchParams();
  const closeUpload = () => setQuery({}, { replace: true, preventScrollReset: true });
  const isUploadOpen = useQuotaGate('bytes', query.get('do') === UPLOAD_DIALOG, closeUpload);
  return (
    <DashboardCard title={t('quick.title')}>
      <Box sx={{ display: 'grid', gap: 2, p: 4 }}>
        <Button
          startIcon={<UploadRounded />}
          aria-haspopup="dialog"
          onClick={() => setQuery({ do: UPLOAD_DIALOG }, { preventScrollReset: true })}
          sx={{ justifyContent: 'flex-start' }}
        >
          {t('quick.upload')}
        </Button>
        {inviteAction}
        <Button
          component={Link}
          to="/campaigns/new"
          startIcon={<CampaignRounded />}
          sx={{ justifyContent: 'flex-start' }}
        >
          {t('quick.write')}
        </Button>
      </Box>
      <UploadDialog open={isUploadOpen} onClose={closeUpload} />
    </DashboardCard>
  );
}
