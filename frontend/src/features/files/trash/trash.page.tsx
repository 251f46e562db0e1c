import DeleteForeverRounded from '@mui/icons-material/DeleteForeverRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import LockRounded from '@mui/icons-material/LockRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { parseId, useZone } from '../../../shared/api/use-zone';
import { useFormat } from '../../../shared/hooks/use-format';
import { EmptyState } from '../../../shared/ui/empty-state';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { FolderBreadcrumbs } from '../components/folder-breadcrumbs';
import { PurgeDialog } from './purge-dialog';
import { TrashBar } from './trash-bar';
import { totalSizeOf } from './trash-utils';
import { TrashTable } from './trash-table';
import { trashKey, useTrash, type TrashEntry } from './use-trash';
import { useTrashActions } from './use-trash-actions';

/** /zones/{id}/trash: what was deleted in a zone in the last 30 days, for its owner and admins. */
export function TrashPage() {
  const { t } = useTranslation('files');
  const zoneId = parseId(useParams().zoneId);
  const { data: zone } = useZone(zoneId);
  if (zone && !zone.can.manageFiles) {
    return (
      <EmptyState
        icon={<LockRounded />}
        title={t('trash.notYours')}
        text={t('trash.notYoursText')}
        action={
          <Button component={Link} to={`/zones/${zoneId}`}>
            {t('toRoot')}
          </Button>
        }
      />
    );
  }
  return (
    <Box component="section" aria-label={t('trash.title')}>
      <Trash
        zoneId={zoneId}
        zoneName={zone?.name ?? ''}
        enabled={zone !== undefined}
        canEmpty={zone?.can.emptyTrash === true}
      />
    </Box>
  );
}

interface TrashProps {
  zoneId: number;
  zoneName: string;
  enabled: boolean;
  canEmpty: boolean;
}

function Trash({ zoneId, zoneName, enabled, canEmpty }: TrashProps) {
  const { t } = useTranslation('files');
  const { entries, total, isComplete, error, refetch, loadMore } = useTrash(zoneId, enabled);
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
  const selectedEntries = useMemo(
    () => entries?.filter((entry) => selectedKeys.has(trashKey(entry))) ?? [],
    [entries, selectedKeys],
  );
  const { restore, purgeTarget, requestPurge, purge, cancelPurge, isPurging } = useTrashActions(zoneId);
  const clearSelection = () => setSelectedKeys(new Set());
  const toggle = (entry: TrashEntry) => setSelectedKeys((previous) => toggleKey(previous, trashKey(entry)));
  return (
    <>
      {selectedEntries.length > 0 ? (
        <TrashBar
          selectedEntries={selectedEntries}
          onRestore={restore}
          onPurge={canEmpty ? requestPurge : undefined}
          onCancel={clearSelection}
        />
      ) : (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, minHeight: 36, mb: 4 }}>
          <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
            <FolderBreadcrumbs zoneId={zoneId} zoneName={zoneName} path={[{ id: 0, name: t('trash.title') }]} />
          </Box>
          {canEmpty && total > 0 && (
            <Button color="error" startIcon={<DeleteForeverRounded />} onClick={() => requestPurge('all')}>
              {t('trash.empty')}
            </Button>
          )}
        </Box>
      )}
      <Summary total={total} totalSize={isComplete && entries ? totalSizeOf(entries) : null} />
      {error && !entries && <ErrorState title={t('trash.failed')} error={error} onRetry={refetch} />}
      {!entries && !error && <RowsSkeleton />}
      {entries?.length === 0 && (
        <Card>
          <EmptyState icon={<DeleteOutlineRounded />} title={t('trash.nothing')} text={t('trash.nothingText')} />
        </Card>
      )}
      {entries && entries.length > 0 && (
        <TrashTable
          entries={entries}
          total={total}
          selectedKeys={selectedKeys}
          onToggle={toggle}
          onRestore={(entry) => restore([entry])}
          onPurge={canEmpty ? (entry) => requestPurge([entry]) : undefined}
          onNearEnd={loadMore}
        />
      )}
      <PurgeDialog target={purgeTarget} total={total} isPurging={isPurging} onConfirm={purge} onClose={cancelPurge} />
    </>
  );
}

/** The retention period, the number of entries, and their total size once all of them are loaded. */
function Summary({ total, totalSize }: { total: number; totalSize: number | null }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const items = t('items', { count: total, formatted: format.number(total) });
  const countText = totalSize === null ? items : t('trash.counts', { items, size: format.size(totalSize) });
  return (
    <Typography variant="body2" color="textSecondary" sx={{ mb: 4 }}>
      {t('trash.stays')} {total > 0 && countText}
    </Typography>
  );
}

function toggleKey(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
