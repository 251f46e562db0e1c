import AddRounded from '@mui/icons-material/AddRounded';
import FolderSpecialRounded from '@mui/icons-material/FolderSpecialRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { $api } from '../../shared/api/client';
import { SortMenu } from '../../shared/browse/sort-menu';
import { useSort } from '../../shared/browse/sort';
import { useViewMode, ViewToggle } from '../../shared/browse/view-toggle';
import { VirtualItems } from '../../shared/browse/virtual-items';
import { useLanguage } from '../../shared/hooks/use-format';
import { useQuotaGate } from '../../shared/plan/use-quota-gate';
import { toast } from '../../shared/toast/toast-store';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHeader } from '../../shared/ui/page-header';
import { CardsSkeleton } from '../../shared/ui/skeletons';
import { CreatedZoneDialog } from './components/created-zone-dialog';
import { CreateZoneDialog } from './components/create-zone-dialog';
import { EditZoneDialog, type EditedZone } from './components/edit-zone-dialog';
import { ZoneCard } from './components/zone-card';
import { ZoneTable } from './components/zone-table';
import { sortZones, zoneSortKeys, type Zone } from './sort-zones';

/** The URL without the dialog, so that the order of the list stays. */
const withoutCreate = (query: URLSearchParams) => new URLSearchParams([...query].filter(([name]) => name !== 'create'));

/** /zones: the zones that the user owns. `?create=zone` opens the dialog for a new one. */
export function ZonesPage() {
  const { t } = useTranslation('zones');
  const { data: zones, error, refetch } = $api.useQuery('get', '/api/zones');
  const [searchParams, setSearchParams] = useSearchParams();
  const navigate = useNavigate();
  const [createdZone, setCreatedZone] = useState<Zone | null>(null);
  const closeCreateDialog = () => setSearchParams(withoutCreate, { replace: true });
  const isCreateOpen = useQuotaGate('zones', searchParams.get('create') === 'zone', closeCreateDialog);
  const openZone = (zone: Zone) => void navigate(`/zones/${zone.id}`);
  // Opens a new zone immediately; a public zone shows its link first.
  const onCreated = (zone: Zone) => {
    if (zone.publicLink) {
      closeCreateDialog();
      return setCreatedZone(zone);
    }
    toast.success(t('created.toast'));
    openZone(zone);
  };
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader
        title={t('title')}
        description={t('description')}
        // Without zones, the empty state has the primary action.
        actions={
          zones?.length !== 0 && (
            <Button
              component={Link}
              to={`?${new URLSearchParams([...withoutCreate(searchParams), ['create', 'zone']])}`}
              preventScrollReset
              variant="contained"
              color="primary"
              startIcon={<AddRounded />}
            >
              {t('create')}
            </Button>
          )
        }
      />
      {error && !zones && <ErrorState title={t('failed')} error={error} onRetry={refetch} />}
      {!zones && !error && <CardsSkeleton cards={6} />}
      {zones?.length === 0 && <NoZones />}
      {zones && zones.length > 0 && <ZoneList zones={zones} />}
      <CreateZoneDialog open={isCreateOpen} onClose={closeCreateDialog} onCreated={onCreated} />
      <CreatedZoneDialog zone={createdZone} onClose={() => createdZone && openZone(createdZone)} />
    </Box>
  );
}

function ZoneList({ zones }: { zones: readonly Zone[] }) {
  const { t } = useTranslation('zones');
  const language = useLanguage();
  const [view, setView] = useViewMode('zones');
  const [sort, setSort] = useSort('zones', zoneSortKeys, { by: 'updated', order: 'desc' });
  const [edited, setEdited] = useState<EditedZone | null>(null);
  const openEditDialog = (zone: Zone, field: EditedZone['field']) => setEdited({ zone, field });
  const sorted = useMemo(() => sortZones(zones, sort, language), [zones, sort, language]);
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 2, mb: 4 }}>
        <SortMenu sort={sort} keys={zoneSortKeys.map((key) => ({ key, name: t(`sort.${key}`) }))} onChange={setSort} />
        <ViewToggle view={view} onChange={setView} />
      </Box>
      {view === 'list' ? (
        <ZoneTable zones={sorted} onEdit={openEditDialog} />
      ) : (
        <Box role="list" aria-label={t('list')}>
          <VirtualItems
            count={sorted.length}
            minWidth={300}
            gap={16}
            itemHeight={152}
            getKey={(index) => sorted[index]!.id}
            renderItem={(index) => (
              <Box role="listitem" sx={{ height: '100%' }}>
                <ZoneCard zone={sorted[index]!} onEdit={openEditDialog} />
              </Box>
            )}
          />
        </Box>
      )}
      <EditZoneDialog edited={edited} onClose={() => setEdited(null)} />
    </>
  );
}

function NoZones() {
  const { t } = useTranslation('zones');
  return (
    <Card>
      <EmptyState
        icon={<FolderSpecialRounded />}
        title={t('empty.title')}
        text={t('empty.text')}
        action={
          <Button component={Link} to="?create=zone" variant="contained" color="primary" startIcon={<AddRounded />}>
            {t('empty.action')}
          </Button>
        }
      />
    </Card>
  );
}
