import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api } from '../../shared/api/client';
import type { CurrentUser } from '../../shared/api/current-user';
import { useFormat } from '../../shared/hooks/use-format';
import { PlanBadge } from '../../shared/plain/plan-badge';

/** The plan and how much of it is in use. Asked for only when somebody is signed in. */
export function AccountSummary({ user }: { user: CurrentUser }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: stats } = $api.useQuery('get', '/api/dashboard/stats');
  const zones = stats?.totalZones ?? user.zoneCount;
  return (
    <Box
      component="section"
      aria-label={t('account.summary')}
      sx={{ px: 4, py: 3, borderTop: 1, borderColor: 'divider' }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', mb: 1 }}>
        <Typography variant="subtitle2">{t('account.summary')}</Typography>
        <PlanBadge plan={user.plan} />
      </Box>
      <Typography variant="body2" color="textSecondary">
        {t('account.zones', { count: zones, formatted: format.number(zones) })}
        {stats && ` · ${t('account.storage', { size: format.size(stats.totalStorage) })}`}
      </Typography>
    </Box>
  );
}
