import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../shared/api/client';
import { useCurrentUser } from '../../shared/api/current-user';
import { useFormat } from '../../shared/hooks/use-format';
import { useTimeZone } from '../../shared/hooks/use-time-zone';
import { ErrorState } from '../../shared/ui/error-state';
import { Sparkline } from '../../shared/ui/sparkline';

const cards = [
  { total: 'totalZones', trend: 'zones' },
  { total: 'totalFiles', trend: 'files' },
  { total: 'totalMembers', trend: 'members' },
  { total: 'totalDownloads', trend: 'downloads' },
] as const;

interface Props {
  /** Renders nothing if all figures are zero. */
  hideWhenEmpty?: boolean;
}

/** The four figures of everything the user owns, with their change in 30 days. */
export function StatCards({ hideWhenEmpty = false }: Props) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const query = { timeZone: useTimeZone() };
  const { data, error, refetch } = $api.useQuery('get', '/api/dashboard/stats', { params: { query } });
  const { data: user } = useCurrentUser();
  const isEmpty = data ? cards.every(({ total }) => data[total] === 0) : user?.zoneCount === 0;
  if (hideWhenEmpty && isEmpty && !error) return null;
  if (error) {
    return (
      <Card>
        <ErrorState title={t('errors.figures')} error={error} onRetry={refetch} />
      </Card>
    );
  }
  return (
    <Box
      component="dl"
      aria-label={t('figures.label')}
      aria-busy={!data}
      sx={{
        display: 'grid',
        gap: 4,
        m: 0,
        gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' },
      }}
    >
      {cards.map(({ total, trend }) => (
        <Card key={total} component="div" sx={{ display: 'flex', flexDirection: 'column', p: 4 }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {t(`figures.${total}`)}
          </Typography>
          <Typography component="dd" variant="h1" sx={{ m: 0, mt: 1, fontVariantNumeric: 'tabular-nums' }}>
            {data ? format.number(data[total]) : <Skeleton width="2em" />}
          </Typography>
          <Box component="dd" sx={{ m: 0, mt: 'auto', pt: 2, minHeight: 64 }}>
            {data ? <TrendLine kind={trend} trend={data.trends[trend]} /> : <Skeleton width="60%" />}
            {trend === 'members' && (
              <Typography variant="caption" component="p" color="textSecondary">
                {t('figures.people')}
              </Typography>
            )}
          </Box>
        </Card>
      ))}
    </Box>
  );
}

interface TrendLineProps {
  kind: (typeof cards)[number]['trend'];
  trend: Schema<'TrendDto'>;
}

function TrendLine({ kind, trend }: TrendLineProps) {
  const trendText = useTrendText(kind, trend);
  return (
    <>
      <Sparkline values={trend.points.map(({ value }) => value)} />
      <Typography variant="caption" component="p" color="textSecondary" sx={{ mt: 1 }}>
        {trendText}
      </Typography>
    </>
  );
}

/** Formats "+3 (12%) in 30 days"; downloads are compared with the previous 30 days. */
function useTrendText(kind: TrendLineProps['kind'], { change, percent }: TrendLineProps['trend']): string {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  if (change === null) return t('trend.unknown');
  const comparison = kind === 'downloads' ? 'before' : 'since';
  if (change === 0) return t(`trend.${comparison}.same`);
  const sign = change > 0 ? '+' : '−';
  const amount = sign + format.number(Math.abs(change));
  if (percent === null) return t(`trend.${comparison}.change`, { amount });
  const part = sign + format.percent(Math.abs(percent));
  return t(`trend.${comparison}.changeAndPart`, { amount, part });
}
