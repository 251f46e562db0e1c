import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { parseId, useZone } from '../../shared/api/use-zone';
import { useFormat } from '../../shared/hooks/use-format';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { DangerZone } from './components/danger-zone';
import { JoinSettingsSection } from './components/join-settings-section';
import { VersionsSection } from './components/versions-section';
import { SectionCard } from '../../shared/ui/section-card';
import { ZoneCheckbox } from './components/zone-checkbox';
import { ZoneDetailsForm } from './components/zone-details-form';
import type { Zone } from './sort-zones';

/** /zones/{id}/settings: name, description and join settings of a zone; read-only except for its owner. */
export function ZoneSettingsPage() {
  const { t } = useTranslation('zones');
  const { data: zone } = useZone(parseId(useParams().zoneId));
  if (!zone) return <RowsSkeleton />;
  if (!zone.can.editSettings) return <ReadOnlySettings zone={zone} />;
  return (
    <Stack spacing={4} sx={{ maxWidth: 880 }}>
      <SectionCard title={t('settings.about')}>
        <ZoneDetailsForm zone={zone} />
      </SectionCard>
      <JoinSettingsSection zone={zone} />
      <SectionCard title={t('settings.visitors')} text={t('settings.visitorsText')}>
        <ZoneCheckbox zone={zone} setting="showFiles" label={t('settings.showFiles')} />
      </SectionCard>
      <SectionCard title={t('settings.reading')} text={t('settings.readingText')}>
        <ZoneCheckbox zone={zone} setting="recordsReading" label={t('settings.recordsReading')} />
      </SectionCard>
      <VersionsSection zone={zone} />
      {zone.can.delete && <DangerZone zone={zone} />}
    </Stack>
  );
}

function ReadOnlySettings({ zone }: { zone: Zone }) {
  const { t } = useTranslation('zones');
  const format = useFormat();
  const rows = [
    [t('form.name'), zone.name],
    [t('form.description'), zone.description || t('settings.noDescription')],
    [t('settings.privacy'), t(`types.${zone.type}`)],
    [t('settings.created'), format.date(zone.createdAt)],
  ] as const;
  return (
    <Stack spacing={4} sx={{ maxWidth: 880 }}>
      <Alert severity="info" role="note">
        {t('settings.readOnly')}
      </Alert>
      <SectionCard title={t('settings.about')}>
        <Box component="dl" sx={{ display: 'grid', gap: 4, m: 0 }}>
          {rows.map(([name, value]) => (
            <Box key={name}>
              <Typography component="dt" variant="body2" color="textSecondary">
                {name}
              </Typography>
              <Typography component="dd" sx={{ m: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
                {value}
              </Typography>
            </Box>
          ))}
        </Box>
      </SectionCard>
    </Stack>
  );
}
