import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { useUrlChoice } from '../../../shared/browse/use-url-choice';
import { useIsMobile } from '../../../shared/hooks/use-is-mobile';
import { useTimeZone } from '../../../shared/hooks/use-time-zone';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { isMeasureEmpty, measures, type Measure } from '../measures';
import type { Range } from '../range';
import { lazyComponent } from '../../../shared/ui/lazy-component';
import { SeriesTable } from './series-table';
import { useZoneChoice, ZoneFilter } from './zone-filter';

const SeriesChart = lazyComponent(
  () => import('./series-chart').then((m) => m.SeriesChart),
  ({ height }) => <Skeleton variant="rounded" height={height} />,
);

/** Pixels. */
const CHART_HEIGHT = 280;

/** Activity over time, in all zones or in one. */
export function SeriesCard({ range }: { range: Range }) {
  const { t } = useTranslation('insights');
  const [measure, setMeasure] = useUrlChoice('measure', measures, 'opened');
  const choice = useZoneChoice('zone');
  const { zoneId } = choice;
  const timeZone = useTimeZone();
  const query = { range, timeZone, ...(zoneId && { zoneId: Number(zoneId) }) };
  const { data, error, refetch } = $api.useQuery('get', '/api/analytics/series', { params: { query } });
  const csvUrl = `/api/analytics/series.csv?${new URLSearchParams({ range, timeZone, ...(zoneId && { zoneId }) })}`;
  return (
    <SectionCard
      title={t('series.title')}
      text={t(zoneId ? 'days' : 'daysOfAll', { zone: timeZone })}
      action={
        <Button component="a" href={csvUrl} download startIcon={<DownloadRounded />}>
          {t('series.export')}
        </Button>
      }
    >
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'flex-end',
          justifyContent: 'space-between',
          gap: 4,
          mb: 4,
        }}
      >
        <MeasureToggle measure={measure} onChange={setMeasure} />
        <ZoneFilter label={t('series.zone')} choice={choice} />
      </Box>
      {error && !data && <ErrorState title={t('series.failed')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton variant="rounded" height={CHART_HEIGHT} />}
      {data && <SeriesContent series={data} measure={measure} />}
    </SectionCard>
  );
}

function SeriesContent({ series, measure }: { series: Schema<'AnalyticsSeriesDto'>; measure: Measure }) {
  const { t } = useTranslation('insights');
  const [isTableShown, setIsTableShown] = useState(false);
  const id = useId();
  if (isMeasureEmpty(series.points, measure)) {
    return (
      <Typography color="textSecondary" sx={{ py: 16, textAlign: 'center' }}>
        {t('series.nothing')}
      </Typography>
    );
  }
  return (
    <>
      <SeriesChart series={series} measure={measure} height={CHART_HEIGHT} />
      <Button
        aria-expanded={isTableShown}
        aria-controls={id}
        onClick={() => setIsTableShown(!isTableShown)}
        sx={{ mt: 3 }}
      >
        {t(isTableShown ? 'series.noTable' : 'series.table')}
      </Button>
      <Box id={id}>{isTableShown && <SeriesTable series={series} />}</Box>
    </>
  );
}

/** On phones the labels are short enough for one row. */
function MeasureToggle({ measure, onChange }: { measure: Measure; onChange: (measure: Measure) => void }) {
  const { t } = useTranslation('insights');
  const isMobile = useIsMobile();
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={measure}
      aria-label={t('series.measure')}
      onChange={(_event, next: Measure | null) => next && onChange(next)}
      fullWidth={isMobile}
    >
      {measures.map((option) => (
        <ToggleButton key={option} value={option}>
          {t(isMobile ? `series.short.${option}` : `series.${option}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
