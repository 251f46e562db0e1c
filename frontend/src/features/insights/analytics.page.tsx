import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../shared/ui/page-header';
import { FileBreakdown } from './components/file-breakdown';
import { SeriesCard } from './components/series-card';
import { ZoneBreakdown } from './components/zone-breakdown';
import { ranges, useRange, type Range } from './range';

interface Props {
  /** The cards of the dashboard. */
  statCards: ReactNode;
  /** The latest activity. */
  recentActivity: ReactNode;
}

/** /analytics: how shared content is used. */
export function AnalyticsPage({ statCards, recentActivity }: Props) {
  const { t } = useTranslation('insights');
  const [range, setRange] = useRange();
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <ToggleButtonGroup
            exclusive
            size="small"
            value={range}
            aria-label={t('range.label')}
            onChange={(_event, next: Range | null) => next && setRange(next)}
          >
            {ranges.map((option) => (
              <ToggleButton key={option} value={option}>
                {t(`range.${option}`)}
              </ToggleButton>
            ))}
          </ToggleButtonGroup>
        }
      />
      <Stack spacing={4}>
        {statCards}
        <SeriesCard range={range} />
        <ZoneBreakdown range={range} />
        <FileBreakdown range={range} />
        {recentActivity}
      </Stack>
    </Box>
  );
}
