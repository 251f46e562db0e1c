import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '../sort-zones';
import { JoinSettingsDialog } from './join-settings-dialog';
import { SectionCard } from '../../../shared/ui/section-card';
import { ZoneTypeBadge } from './zone-type-badge';

/** Describes who can join a zone, with a button to change it. */
export function JoinSettingsSection({ zone }: { zone: Zone }) {
  const { t } = useTranslation('zones');
  const [open, setOpen] = useState(false);
  const explanations = [
    zone.autoJoin ? t('form.autoJoinOn') : t('form.autoJoinOff'),
    zone.requiresEmailOptin ? t('form.optinOn') : t('form.optinOff'),
  ];
  return (
    <SectionCard
      title={t('settings.privacy')}
      action={<Button onClick={() => setOpen(true)}>{t('settings.change')}</Button>}
    >
      <Box sx={{ display: 'grid', justifyItems: 'start', gap: 2, maxWidth: '64ch' }}>
        <ZoneTypeBadge type={zone.type} />
        <Typography>{t(`form.${zone.type}Text`)}</Typography>
        {zone.type === 'public' &&
          explanations.map((text) => (
            <Typography key={text} color="textSecondary">
              {text}
            </Typography>
          ))}
      </Box>
      <JoinSettingsDialog zone={zone} open={open} onClose={() => setOpen(false)} />
    </SectionCard>
  );
}
