import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../../shared/api/client';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useFormat } from '../../../../shared/hooks/use-format';

/** What is deleted together with the account, in figures where there are any. */
export function WhatGoes({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { data: stats } = $api.useQuery('get', '/api/dashboard/stats');
  const counted = (key: 'zones' | 'files' | 'members', count: number, size = '') =>
    count > 0 && t(`deletion.${key}`, { count, formatted: format.number(count), size });
  const parts = [
    counted('zones', stats?.totalZones ?? user.zoneCount),
    stats && counted('files', stats.totalFiles, format.size(stats.totalStorage)),
    stats && counted('members', stats.totalMembers),
    t('deletion.memberships'),
    user.plan !== 'free' && t('deletion.subscription'),
    t('deletion.rest'),
  ].filter(Boolean);
  return (
    <Box component="ul" sx={{ my: 2, pl: 5, display: 'grid', gap: 1 }}>
      {parts.map((part) => (
        <li key={String(part)}>{part}</li>
      ))}
    </Box>
  );
}
