import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat, useLanguage } from '../../../shared/hooks/use-format';
import { useNow } from '../../../shared/hooks/use-now';
import { useTimeZone } from '../../../shared/hooks/use-time-zone';
import { Badge } from '../../../shared/ui/badge';
import { useLinkFunnel, type LinkFigures } from '../api/use-links';
import { fillMissingDays } from '../link-time';
import { lazyComponent } from '../../../shared/ui/lazy-component';

const DaysChart = lazyComponent(
  () => import('./days-chart').then((m) => m.DailyChart),
  ({ height }) => <Skeleton variant="rectangular" height={height} />,
);
const chartHeight = 200;

interface Props {
  zoneId: number;
  /** Null for the public link. */
  linkId: number | null;
  figures: LinkFigures;
}

/** Analytics of a link: totals, days, what people did after joining, latest joins, countries and outcomes. */
export function LinkAnalytics({ zoneId, linkId, figures }: Props) {
  const { t } = useTranslation('links');
  const now = useNow();
  const timeZone = useTimeZone();
  const totals = [
    [t('analytics.attempts'), figures.totalAttempts],
    [t('analytics.joins'), figures.successfulJoins],
    [t('analytics.newUsers'), figures.newUsers],
    [t('analytics.existingUsers'), figures.existingUsers],
  ] as const;
  return (
    <>
      <Totals totals={totals} />
      {figures.totalAttempts === 0 ? (
        <Typography color="textSecondary">{t('analytics.none')}</Typography>
      ) : (
        <>
          <Section title={t('analytics.overTime')}>
            <DaysChart days={fillMissingDays(figures.overTime, now, timeZone)} height={chartHeight} />
          </Section>
          {figures.successfulJoins > 0 && <Funnel zoneId={zoneId} linkId={linkId} attempts={figures.totalAttempts} />}
          {figures.recentJoins.length > 0 && <RecentJoins joins={figures.recentJoins} now={now} />}
          <Countries countries={figures.countries} />
          <Outcomes outcomes={figures.outcomes} />
        </>
      )}
    </>
  );
}

/** Figures with their labels, side by side. */
export function Totals({ totals }: { totals: readonly (readonly [label: string, value: number])[] }) {
  const format = useFormat();
  return (
    <Box
      component="dl"
      sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(4, 1fr)' }, m: 0 }}
    >
      {totals.map(([label, value]) => (
        <Box key={label}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {label}
          </Typography>
          <Typography component="dd" variant="h2" sx={{ m: 0 }}>
            {format.number(value)}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} variant="subtitle1" component="h3" sx={{ mb: 2 }}>
        {title}
      </Typography>
      {children}
    </Box>
  );
}

/** Rows with a name on the left and a value on the right. */
function KeyValueList({ lines }: { lines: readonly { key: string; name: ReactNode; value: ReactNode }[] }) {
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {lines.map(({ key, name, value }) => (
        <Box
          component="li"
          key={key}
          sx={{
            display: 'flex',
            justifyContent: 'space-between',
            gap: 4,
            py: 2,
            '& + &': { borderTop: 1, borderColor: 'divider' },
          }}
        >
          <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{name}</Box>
          <Typography component="span" color="textSecondary" sx={{ flex: 'none', textAlign: 'right' }}>
            {value}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}

/** From attempts to downloads; the people of each step are counted once. */
function Funnel({ zoneId, linkId, attempts }: { zoneId: number; linkId: number | null; attempts: number }) {
  const { t } = useTranslation('links');
  const format = useFormat();
  const { data } = useLinkFunnel(zoneId, linkId);
  if (!data) return null;
  const steps = ['joined', 'opened', 'read', 'downloaded'] as const;
  const most = Math.max(attempts, data.joined, 1);
  const lines = [{ key: 'attempts', count: attempts }, ...steps.map((key) => ({ key, count: data[key] }))] as const;
  return (
    <Section title={t('analytics.funnel.title')}>
      <KeyValueList
        lines={lines.map(({ key, count }) => ({
          key,
          name: (
            <>
              {t(`analytics.funnel.${key}`)}
              <Bar share={count / most} />
            </>
          ),
          value: format.number(count),
        }))}
      />
    </Section>
  );
}

/** Decorative: the figure is beside it. */
function Bar({ share }: { share: number }) {
  const width = `${100 * share}%`;
  return <Box aria-hidden sx={{ height: 8, borderRadius: 1, bgcolor: 'primary.main' }} style={{ width }} />;
}

function Countries({ countries }: Pick<LinkFigures, 'countries'>) {
  const { t } = useTranslation('links');
  const format = useFormat();
  const language = useLanguage();
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const lines = countries.map(({ country, attempts, joins }) => ({
    key: country ?? '',
    name: country === null ? t('analytics.unknown') : names.of(country),
    value: t('analytics.country', { attempts: format.number(attempts), joins: format.number(joins) }),
  }));
  return (
    <Section title={t('analytics.countries')}>
      <KeyValueList lines={lines} />
    </Section>
  );
}

function Outcomes({ outcomes }: Pick<LinkFigures, 'outcomes'>) {
  const { t, i18n } = useTranslation('links');
  const format = useFormat();
  const lines = outcomes.map(({ outcome, attempts }) => {
    const known = i18n.exists(`analytics.outcome.${outcome}`, { ns: 'links' });
    const key = (known ? outcome : 'other') as 'other';
    return { key: outcome, name: t(`analytics.outcome.${key}`), value: format.number(attempts) };
  });
  return (
    <Section title={t('analytics.outcomes')}>
      <KeyValueList lines={lines} />
    </Section>
  );
}

function RecentJoins({ joins, now }: { joins: LinkFigures['recentJoins']; now: number }) {
  const { t } = useTranslation('links');
  const format = useFormat();
  const lines = joins.map(({ id, userName, userEmail, wasNewUser, joinedAt }) => ({
    key: String(id),
    name: (
      <>
        <Typography component="span" variant="subtitle2">
          {userName ?? (userEmail === null ? t('analytics.gone') : t('analytics.noName'))}
        </Typography>{' '}
        {wasNewUser && <Badge tone="accent">{t('analytics.newUser')}</Badge>}
        {userEmail !== null && (
          <Typography variant="body2" color="textSecondary">
            {userEmail}
          </Typography>
        )}
      </>
    ),
    value: format.relative(joinedAt, now),
  }));
  return (
    <Section title={t('analytics.recent')}>
      <KeyValueList lines={lines} />
    </Section>
  );
}
