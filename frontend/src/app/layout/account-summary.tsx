import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { CurrentPlanBadge } from '../../shared/plan/current-plan-badge';
import { useUsage } from '../../shared/plan/usage';
import { UsageBars } from '../../shared/plan/usage-bars';

/** The plan and the usage of its limits. Fetched only when a user is signed in. */
export function AccountSummary() {
  const { t } = useTranslation();
  const { data: usage, error } = useUsage();
  return (
    <Box
      component="section"
      aria-label={t('account.summary')}
      sx={{ px: 4, py: 3, borderTop: 1, borderColor: 'divider' }}
    >
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 1, mb: 2 }}
      >
        <Typography variant="subtitle2">{t('account.summary')}</Typography>
        <CurrentPlanBadge />
      </Box>
      {usage && <UsageBars usage={usage} />}
      {!usage && !error && <Skeleton variant="rounded" height={104} />}
    </Box>
  );
}
