import AutorenewRounded from '@mui/icons-material/AutorenewRounded';
import InsightsRounded from '@mui/icons-material/InsightsRounded';
import QrCode2Rounded from '@mui/icons-material/QrCode2Rounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStartStep } from '../../../shared/account/use-start-step';
import type { Schema } from '../../../shared/api/client';
import { publicAddress } from '../../../shared/format/public-address';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { CopyField } from '../../../shared/ui/fields/copy-field';
import { SectionCard } from '../../../shared/ui/section-card';
import { usePublicFigures, useRenewPublicLink } from '../api/use-links';
import { AnalyticsPanel } from './analytics-panel';
import { QrDialog } from './qr-dialog';

interface Props {
  zone: Schema<'ZoneDto'>;
  publicLink: string;
}

type Open = 'qr' | 'analytics' | 'renew' | null;

/** The permanent link of a public zone. */
export function PublicLinkCard({ zone, publicLink }: Props) {
  const { t } = useTranslation('links');
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const tell = useStartStep();
  const figures = usePublicFigures(zone.id, open === 'analytics');
  const renewal = useRenewal(zone.id, close);
  const address = publicAddress(publicLink);
  return (
    <SectionCard title={t('public.title')} text={zone.autoJoin ? t('public.text') : t('public.askText')}>
      <CopyField
        label={t('public.label')}
        value={address}
        failure={t('public.copyFailed')}
        onCopied={() => tell('link')}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mt: 3 }}>
        <Button startIcon={<QrCode2Rounded />} onClick={() => setOpen('qr')}>
          {t('qr.button')}
        </Button>
        <Button startIcon={<InsightsRounded />} onClick={() => setOpen('analytics')}>
          {t('analytics.button')}
        </Button>
        <Button startIcon={<AutorenewRounded />} onClick={() => setOpen('renew')}>
          {t('public.renew')}
        </Button>
      </Box>
      <QrDialog open={open === 'qr'} name={zone.name} address={address} onClose={close} />
      <AnalyticsPanel
        open={open === 'analytics'}
        name={t('public.label')}
        figures={figures.data}
        error={figures.error}
        onRetry={figures.refetch}
        csv={`/api/zones/${zone.id}/public-link/usages.csv`}
        onClose={close}
      />
      <ConfirmDialog
        open={open === 'renew'}
        title={t('public.renewTitle')}
        confirmLabel={t('public.renew')}
        busy={renewal.isPending}
        onConfirm={() => renewal.mutate()}
        onClose={close}
      >
        {t('public.renewText')}
      </ConfirmDialog>
    </SectionCard>
  );
}

function useRenewal(zoneId: number, onDone: () => void) {
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
