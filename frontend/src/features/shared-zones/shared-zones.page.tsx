import FolderSharedRounded from '@mui/icons-material/FolderSharedRounded';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hasNoOwnZones } from '../../shared/account/home-preference';
import { $api } from '../../shared/api/client';
import { useSignedInUser } from '../../shared/api/current-user';
import { useSort } from '../../shared/browse/sort';
import { SortMenu } from '../../shared/browse/sort-menu';
import { useViewMode, ViewToggle } from '../../shared/browse/view-toggle';
import { VirtualItems } from '../../shared/browse/virtual-items';
import { useLanguage } from '../../shared/hooks/use-format';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHeader } from '../../shared/ui/page-header';
import { CardsSkeleton } from '../../shared/ui/skeletons';
import { SharedZoneCard } from './components/shared-zone-card';
import { SharedZoneTable } from './components/shared-zone-table';
import { ContinueReading } from './home/continue-reading';
import { sharedSortKeys, sortSharedZones, type SharedZone } from './sort-shared-zones';

/** /shared-zones: other people's zones that the user is a member of. */
export function SharedZonesPage() {
  const { t } = useTranslation('sharedZones');
  const { data: zones, error, refetch } = $api.useQuery('get', '/api/shared-zones');
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader title={t('title')} description={t('description')} />
      {error && !zones && <ErrorState title={t('failed')} error={error} onRetry={refetch} />}
      {!zones && !error && <CardsSkeleton cards={6} />}
      {zones?.length === 0 && <NoSharedZones />}
      {zones && zones.length > 0 && (
        <>
          <SharedZones zones={zones} />
          <UnfinishedDocuments />
        </>
      )}
    </Box>
  );
}

/**
 * Documents to continue, for people whose start page is the dashboard of creators. They are below the zones, because
 * they are loaded later and must not move them.
 */
function UnfinishedDocuments() {
  const { data: home } = $api.useQuery('get', '/api/home');
  if (!home || home.continueReading.length === 0) return null;
  return (
    <Box sx={{ mt: 6 }}>
      <ContinueReading documents={home.continueReading} />
    </Box>
  );
}

function SharedZones({ zones }: { zones: readonly SharedZone[] }) {
  const { t } = useTranslation('sharedZones');
  const language = useLanguage();
  const [view, setView] = useViewMode('sharedZones');
  const [sort, setSort] = useSort('sharedZones', sharedSortKeys, { by: 'updated', order: 'desc' });
  const sorted = useMemo(() => sortSharedZones(zones, sort, language), [zones, sort, language]);
  return (
    <>
      <Alert severity="info" role="note" sx={{ mb: 4 }}>
        {t('notice')}
      </Alert>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 2, mb: 4 }}>
        <SortMenu
          sort={sort}
          keys={sharedSortKeys.map((key) => ({ key, name: t(`sort.${key}`) }))}
          onChange={setSort}
        />
        <ViewToggle view={view} onChange={setView} />
      </Box>
      {view === 'list' ? (
        <SharedZoneTable zones={sorted} />
      ) : (
        <Box role="list" aria-label={t('list')}>
          <VirtualItems
            count={sorted.length}
            minWidth={300}
            gap={16}
            itemHeight={180}
            getKey={(index) => sorted[index]!.id}
            renderItem={(index) => (
              <Box role="listitem" sx={{ height: '100%' }}>
                <SharedZoneCard zone={sorted[index]!} />
              </Box>
            )}
          />
        </Box>
      )}
    </>
  );
}

/** People without zones of their own have nothing in My Zones either. */
function NoSharedZones() {
  const { t } = useTranslation('sharedZones');
  const hasOwnZones = !hasNoOwnZones(useSignedInUser());
  return (
    <Card>
      <EmptyState
        icon={<FolderSharedRounded />}
        title={t(hasOwnZones ? 'empty.title' : 'empty.noZones')}
        text={t('empty.text')}
        action={
          hasOwnZones && (
            <Button component={Link} to="/zones">
              {t('empty.action')}
            </Button>
          )
        }
      />
    </Card>
  );
}
