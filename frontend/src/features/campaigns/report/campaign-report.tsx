import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useInvalidate } from '../../../shared/api/invalidate';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { PageHeader } from '../../../shared/ui/page-header';
import { StatCards } from '../../../shared/ui/stat-cards';
import { useCampaign, useCampaignReport, type Campaign } from '../api/use-campaigns';
import { StatusBadge } from '../components/status-badge';
import { useRenderMergeFields } from '../components/use-render-merge-fields';
import { useZoneName } from '../components/use-zone-name';
import { StartFailureNotice } from '../components/start-failure-notice';
import { EmailPreviewFrame } from '../composer/email-preview';
import { ReportActions } from './report-actions';
import { ReportDetails } from './report-details';
import { SendingProgress } from './sending-progress';

/** Report of a campaign that is no longer a draft: status, progress and results. */
export function CampaignReport({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const renderMergeFields = useRenderMergeFields();
  const name = renderMergeFields(campaign.name, campaign.zoneName);
  const subject = renderMergeFields(campaign.subject, campaign.zoneName);
  const zoneName = useZoneName(campaign);
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader
        title={campaign.kind === 'welcome' ? t('welcomeMail') : name}
        badge={<StatusBadge campaign={campaign} />}
        description={`${zoneName} · ${t(`audience.${campaign.targetAudience}`)} · ${subject}`}
        back={{ to: '/campaigns', label: t('compose.back') }}
        actions={<ReportActions campaign={campaign} />}
      />
      <Stack spacing={6}>
        <StatusNotice campaign={campaign} />
        {campaign.can.seeReport && <ReportFigures campaign={campaign} />}
        {campaign.kind === 'campaign' && !campaign.isZoneDeleted && <SentEmail id={campaign.id} />}
      </Stack>
    </Box>
  );
}

const deliveryRejections = ['SENDER_REFUSED', 'READERS_REFUSED', 'ALL_REFUSED'] as const;

/** What a campaign is waiting for, or why it didn't start or was stopped. */
function StatusNotice({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { status, scheduledAt, timeZone, failure } = campaign;
  if (status === 'scheduled' && scheduledAt) {
    const when = t('schedule.goes', {
      when: format.dateTime(scheduledAt),
      zone: timeZone?.replaceAll('_', ' ') ?? 'UTC',
    });
    return <Typography>{when}</Typography>;
  }
  const { keptCount: count } = campaign;
  if (count > 0 && status !== 'sending') {
    return (
      <Alert severity="warning" role="note">
        {t('report.onHoldText', { count, formatted: format.number(count) })}
      </Alert>
    );
  }
  const isStopped = status === 'paused' || status === 'failed';
  const rejectionReason = isStopped && deliveryRejections.find((known) => known === failure);
  if (rejectionReason) {
    return (
      <Alert severity={status === 'failed' ? 'error' : 'warning'} role="note">
        {t(`rejections.${rejectionReason}`)}
      </Alert>
    );
  }
  return <StartFailureNotice campaign={campaign} />;
}

function ReportFigures({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { data: report, error, refetch } = useCampaignReport(campaign.id);
  const { refetch: refetchCampaign } = useCampaign(campaign.id, true);
  const invalidate = useInvalidate();
  const hasStatusChanged = report !== undefined && report.status !== campaign.status;
  useEffect(() => {
    // Sending has ended, or was paused elsewhere, so the available actions have changed.
    if (hasStatusChanged) void refetchCampaign().then(() => invalidate('POST /api/campaigns/{id}/send'));
    // oxlint-disable-next-line react/exhaustive-deps -- refetches once per status change
  }, [hasStatusChanged]);
  if (error && !report) return <ErrorState title={t('report.loadFailed')} error={error} onRetry={refetch} />;
  const formatCount = (value: number | undefined) => (value === undefined ? undefined : format.number(value));
  return (
    <>
      <SendingProgress progress={report ?? campaign} />
      <StatCards
        label={t('report.title')}
        stats={[
          { name: t('report.recipients'), value: formatCount(report?.recipientCount) },
          { name: t('report.delivered'), value: formatCount(report?.deliveredCount) },
          ...(report?.keptCount ? [{ name: t('report.onHold'), value: formatCount(report.keptCount) }] : []),
          { name: t('report.failed'), value: formatCount(report?.failedCount) },
          { name: t('report.opens'), value: formatCount(report?.openCount) },
          { name: t('report.clicks'), value: formatCount(report?.clickCount) },
        ]}
      />
      {report && <ReportDetails report={report} />}
    </>
  );
}

/** The email itself. */
function SentEmail({ id }: { id: number }) {
  const { t } = useTranslation('campaigns');
  return (
    <Box sx={{ maxWidth: 720 }}>
      <EmailPreviewFrame title={t('report.content')}>
        <Box
          component="iframe"
          src={`/api/campaigns/${id}/preview`}
          title={t('preview.frame')}
          sx={{ position: 'absolute', inset: 0, width: '100%', height: '100%', border: 0 }}
        />
      </EmailPreviewFrame>
    </Box>
  );
}
