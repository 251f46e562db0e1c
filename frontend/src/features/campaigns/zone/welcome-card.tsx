import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { useRenderMergeFields } from '../components/use-render-merge-fields';
import { useEmailSettings, useSaveEmailSettings, type EmailSettings } from './use-email-settings';
import { WelcomeEmailDialog } from './welcome-dialog';

interface Props {
  zoneId: number;
  zoneName: string;
}

/** The email for new members of a zone: whether it is sent, its content, and its results. */
export function WelcomeEmailCard({ zoneId, zoneName }: Props) {
  const { t } = useTranslation('campaigns');
  const { data: settings, error, refetch } = useEmailSettings(zoneId);
  return (
    <SectionCard title={t('welcome.title')} text={t('welcome.text')}>
      {error && !settings && <ErrorState error={error} onRetry={refetch} />}
      {!settings && !error && <RowsSkeleton rows={2} />}
      {settings && <WelcomeSettings zoneId={zoneId} zoneName={zoneName} settings={settings} />}
    </SectionCard>
  );
}

function WelcomeSettings({ zoneId, zoneName, settings }: Props & { settings: EmailSettings }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const renderMergeFields = useRenderMergeFields();
  const [isEditing, setIsEditing] = useState(false);
  const { welcomeSubject, welcomeCampaignId, welcomeSkipped: count } = settings;
  return (
    <Stack spacing={3}>
      <EnabledSwitch zoneId={zoneId} enabled={settings.welcomeEnabled} />
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {t('welcome.subject', { subject: renderMergeFields(welcomeSubject, zoneName) })}
      </Typography>
      {count > 0 && (
        <Alert severity="warning" role="note" sx={{ bgcolor: 'tint.warning' }}>
          {t('welcome.skipped', { count, formatted: format.number(count) })}
        </Alert>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Button onClick={() => setIsEditing(true)}>{t('welcome.edit')}</Button>
        {welcomeCampaignId !== null && (
          <Button variant="text" component={Link} to={`/campaigns/${welcomeCampaignId}`}>
            {t('welcome.report')}
          </Button>
        )}
      </Box>
      <WelcomeEmailDialog open={isEditing} zoneId={zoneId} settings={settings} onClose={() => setIsEditing(false)} />
    </Stack>
  );
}

function EnabledSwitch({ zoneId, enabled }: { zoneId: number; enabled: boolean }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const save = useSaveEmailSettings(zoneId);
  const setEnabled = (welcomeEnabled: boolean) =>
    save.mutate(
      { welcomeEnabled },
      {
        onSuccess: () => toast.success(t(welcomeEnabled ? 'welcome.on' : 'welcome.off')),
        onError: (error) => toast.error(t('welcome.failed'), errorText(error)),
      },
    );
  return (
    <FormControlLabel
      control={
        <Switch
          checked={save.isPending ? Boolean(save.variables.welcomeEnabled) : enabled}
          onChange={(_, checked) => !save.isPending && setEnabled(checked)}
        />
      }
      label={t('welcome.enabled')}
    />
  );
}
