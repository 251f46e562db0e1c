import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Skeleton from '@mui/material/Skeleton';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { isEmpty, measures, type Measure } from '../measures';
import type { Range } from '../range';
import { SeriesTable } from './series-table';

const SeriesChart = lazy(() => import('./series-chart').then((m) => ({ default: m.SeriesChart })));

/** Pixels. */
const height = 280;

/** What happened over time, in all zones or in one. */
export function SeriesCard({ range }: { range: Range }) {
  const { t } = useTranslation('insights');
  const [measure, setMeasure] = useState<Measure>('opened');
  const [zoneId, setZoneId] = useState<number | null>(null);
  const query = { range, ...(zoneId === null ? {} : { zoneId }) };
  const { data, error, refetch } = $api.useQuery('get', '/api/analytics/series', { params: { query } });
  const csv = `/api/analytics/series.csv?${new URLSearchParams({ range, ...(zoneId === null ? {} : { zoneId: String(zoneId) }) })}`;
  return (
    <SectionCard
      title={t('series.title')}
      action={
        <Button component="a" href={csv} download startIcon={<DownloadRounded />}>
          {t('series.export')}
        </Button>
      }
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, mb: 4 }}>
        <Choice label={t('series.measure')} value={measure} onChange={(next) => setMeasure(next as Measure)}>
          {Object.keys(measures).map((one) => (
            <MenuItem key={one} value={one}>
              {t(`series.${one as Measure}`)}
            </MenuItem>
          ))}
        </Choice>
        <ZoneChoice zoneId={zoneId} onChange={setZoneId} />
      </Box>
      {error && !data && <ErrorState title={t('series.failed')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton variant="rounded" height={height} />}
      {data && <Series series={data} measure={measure} />}
    </SectionCard>
  );
}

function Series({ series, measure }: { series: Schema<'AnalyticsSeriesDto'>; measure: Measure }) {
  const { t } = useTranslation('insights');
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  if (isEmpty(series.points, measure)) {
    return (
      <Typography color="textSecondary" sx={{ py: 16, textAlign: 'center' }}>
        {t('series.nothing')}
      </Typography>
    );
  }
  return (
    <>
      <Suspense fallback={<Skeleton variant="rounded" height={height} />}>
        <SeriesChart series={series} measure={measure} height={height} />
      </Suspense>
      <Button aria-expanded={asTable} aria-controls={id} onClick={() => setAsTable(!asTable)} sx={{ mt: 3 }}>
        {t(asTable ? 'series.noTable' : 'series.table')}
      </Button>
      <Box id={id}>{asTable && <SeriesTable series={series} />}</Box>
    </>
  );
}

function ZoneChoice({ zoneId, onChange }: { zoneId: number | null; onChange: (zoneId: number | null) => void }) {
  const { t } = useTranslation('insights');
  const { data: zones = [] } = $api.useQuery('get', '/api/zones');
  if (zones.length < 2) return null;
  return (
    <Choice
      label={t('series.zone')}
      value={zoneId === null ? '' : String(zoneId)}
      onChange={(next) => onChange(next ? Number(next) : null)}
    >
      <MenuItem value="">{t('series.allZones')}</MenuItem>
      {zones.map(({ id, name }) => (
        <MenuItem key={id} value={String(id)}>
          {name}
        </MenuItem>
      ))}
    </Choice>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: React.ReactNode;
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <TextField
      select
      size="small"
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      sx={{ minWidth: 200, maxWidth: '100%' }}
    >
      {children}
    </TextField>
  );
}
