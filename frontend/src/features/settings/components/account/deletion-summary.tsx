import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../../shared/api/client';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useFormat } from '../../../../shared/hooks/use-format';

/** What is deleted with the account, with numbers where available. */
export function DeletionSummary({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { data: stats } = $api.useQuery('get', '/api/dashboard/stats');
  const formatCount = (key: 'zones' | 'files' | 'members', count: number, size = '') =>
    count > 0 && t(`deletion.${key}`, { count, formatted: format.number(count), size });
  const items = [
    formatCount('zones', stats?.totalZones ?? user.zoneCount),
    stats && formatCount('files', stats.totalFiles, format.size(stats.totalStorage)),
    stats && formatCount('members', stats.totalMembers),
    t('deletion.memberships'),
    user.plan !== 'free' && t('deletion.subscription'),
    t('deletion.rest'),
  ].filter(Boolean);
  return (
    <Box component="ul" sx={{ my: 2, pl: 5, display: 'grid', gap: 1 }}>
      {items.map((item) => (
        <li key={String(item)}>{item}</li>
      ))}
    </Box>
  );
}
