import AutorenewRounded from '@mui/icons-material/AutorenewRounded';
import InsightsRounded from '@mui/icons-material/InsightsRounded';
import QrCode2Rounded from '@mui/icons-material/QrCode2Rounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCompleteOnboardingStep } from '../../../shared/account/use-onboarding';
import type { Schema } from '../../../shared/api/client';
import { publicZoneUrl } from '../../../shared/format/zone-urls';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { CopyField } from '../../../shared/ui/fields/copy-field';
import { SectionCard } from '../../../shared/ui/section-card';
import { usePublicLinkAnalytics, useRenewPublicLink } from '../api/use-links';
import { AnalyticsPanel } from './analytics-panel';
import { QrDialog } from './qr-dialog';

interface Props {
  zone: Schema<'ZoneDto'>;
  publicLink: string;
}

type OpenDialog = 'qr' | 'analytics' | 'renew' | null;

/** The permanent link of a public zone. */
export function PublicLinkCard({ zone, publicLink }: Props) {
  const { t } = useTranslation('links');
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const close = () => setOpenDialog(null);
  const completeOnboardingStep = useCompleteOnboardingStep();
  const figures = usePublicLinkAnalytics(zone.id, openDialog === 'analytics');
  const renewal = useLinkRenewal(zone.id, close);
  const address = publicZoneUrl(publicLink);
  return (
    <SectionCard title={t('public.title')} text={zone.autoJoin ? t('public.text') : t('public.askText')}>
      <CopyField
        label={t('public.label')}
        value={address}
        failureMessage={t('public.copyFailed')}
        onCopied={() => completeOnboardingStep('link')}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 3 }}>
        <Button startIcon={<QrCode2Rounded />} onClick={() => setOpenDialog('qr')}>
          {t('qr.button')}
        </Button>
        <Button startIcon={<InsightsRounded />} onClick={() => setOpenDialog('analytics')}>
          {t('analytics.button')}
        </Button>
        <Button startIcon={<AutorenewRounded />} onClick={() => setOpenDialog('renew')}>
          {t('public.renew')}
        </Button>
      </Box>
      <QrDialog open={openDialog === 'qr'} name={zone.name} address={address} onClose={close} />
      <AnalyticsPanel
        open={openDialog === 'analytics'}
        zoneId={zone.id}
        linkId={null}
        name={t('public.label')}
        figures={figures.data}
        error={figures.error}
        onRetry={figures.refetch}
        csvUrl={`/api/zones/${zone.id}/public-link/usages.csv`}
        onClose={close}
      />
      <ConfirmDialog
        open={openDialog === 'renew'}
        title={t('public.renewTitle')}
        confirmLabel={t('public.renew')}
        isPending={renewal.isPending}
        onConfirm={() => renewal.mutate()}
        onClose={close}
      >
        {t('public.renewText')}
      </ConfirmDialog>
    </SectionCard>
  );
}

function useLinkRenewal(zoneId: number, onDone: () => void) {
  const { t } = useTranslation('links');
  const errorText = useErrorText();
  const renew = useRenewPublicLink(zoneId);
  const mutate = () =>
    renew.mutate(undefined, {
      onSuccess: () => {
        toast.success(t('public.renewed'));
        onDone();
      },
      onError: (error) => toast.error(t('public.renewFailed'), errorText(error)),
    });
  return { isPending: renew.isPending, mutate };
}
