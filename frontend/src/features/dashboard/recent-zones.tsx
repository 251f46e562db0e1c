import AddRounded from '@mui/icons-material/AddRounded';
import FolderSpecialRounded from '@mui/icons-material/FolderSpecialRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api, type Schema } from '../../shared/api/client';
import { useFormat } from '../../shared/hooks/use-format';
import { Badge } from '../../shared/ui/badge';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { StandaloneLink } from '../../shared/ui/standalone-link';
import { DashboardCard } from './panel';

const ZONE_COUNT = 3;

/** The first three of the user's zones. */
export function RecentZones() {
  const { t } = useTranslation('dashboard');
  const { data: zones, error, refetch } = $api.useQuery('get', '/api/zones');
  const viewAll = (
    <StandaloneLink to="/zones" variant="body2">
      {t('zones.viewAll')}
    </StandaloneLink>
  );
  return (
    <DashboardCard title={t('zones.title')} action={viewAll}>
      {error && <ErrorState title={t('errors.zones')} error={error} onRetry={refetch} />}
      {!zones && !error && (
        <Box sx={{ px: 4, py: 2 }}>
          <RowsSkeleton rows={ZONE_COUNT} />
        </Box>
      )}
      {zones?.length === 0 && <NoZones />}
      {zones && zones.length > 0 && (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {zones.slice(0, ZONE_COUNT).map((zone) => (
            <ZoneRow key={zone.id} zone={zone} />
          ))}
        </Box>
      )}
    </DashboardCard>
  );
}

function ZoneRow({ zone }: { zone: Schema<'ZoneDto'> }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const countOptions = (value: number) => ({ count: value, formatted: format.number(value) });
  const facts = [
    t('zones.folders', countOptions(zone.folderCount)),
    t('zones.files', countOptions(zone.fileCount)),
    t('zones.members', countOptions(zone.memberCount)),
    t('zones.updated', { date: format.date(zone.updatedAt) }),
  ];
  return (
    <Box component="li" sx={{ '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <ButtonBase
        component={Link}
        to={`/zones/${zone.id}`}
        sx={{
          display: 'flex',
          justifyContent: 'flex-start',
          gap: 3,
          width: '100%',
          px: 4,
          py: 3,
          textAlign: 'left',
          '&:hover': { bgcolor: 'hover' },
          '&:focus-visible': { outlineOffset: -2 },
        }}
      >
        <FolderSpecialRounded sx={{ color: 'text.secondary' }} />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="subtitle2" sx={{ overflowWrap: 'anywhere' }}>
            {zone.name}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {facts.join(' · ')}
          </Typography>
        </Box>
        {zone.isActive && <Badge tone="success">{t('zones.active')}</Badge>}
      </ButtonBase>
    </Box>
  );
}

function NoZones() {
  const { t } = useTranslation('dashboard');
  return (
    <EmptyState
      icon={<FolderSpecialRounded />}
      title={t('zones.empty')}
      text={t('zones.emptyText')}
      action={
        <Button component={Link} to="/zones?create=zone" startIcon={<AddRounded />}>
          {t('createZone')}
        </Button>
      }
    />
  );
}
