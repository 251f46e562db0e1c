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
import { toId, useZone } from '../../../shared/api/use-zone';
import { useFormat } from '../../../shared/hooks/use-format';
import { EmptyState } from '../../../shared/ui/empty-state';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { FolderPath } from '../components/folder-path';
import { PurgeDialog } from './purge-dialog';
import { TrashBar } from './trash-bar';
import { weightOf } from './trash-facts';
import { TrashTable } from './trash-table';
import { trashKey, useTrash, type TrashEntry } from './use-trash';
import { useTrashActions } from './use-trash-actions';

/** /zones/{id}/trash: what was deleted in a zone in the last 30 days, for its owner and its admins. */
export function TrashPage() {
  const { t } = useTranslation('files');
  const zoneId = toId(useParams().zoneId);
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
        mayEmpty={zone?.can.emptyTrash === true}
      />
    </Box>
  );
}

interface TrashProps {
  zoneId: number;
  zoneName: string;
  enabled: boolean;
  mayEmpty: boolean;
}

function Trash({ zoneId, zoneName, enabled, mayEmpty }: TrashProps) {
  const { t } = useTranslation('files');
  const { entries, total, complete, error, refetch, loadMore } = useTrash(zoneId, enabled);
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const chosen = useMemo(() => entries?.filter((entry) => keys.has(trashKey(entry))) ?? [], [entries, keys]);
  const { restore, purging, askPurge, purge, dropPurge, busy } = useTrashActions(zoneId);
  const clear = () => setKeys(new Set());
  const toggle = (entry: TrashEntry) => setKeys((before) => toggled(before, trashKey(entry)));
  return (
    <>
      {chosen.length > 0 ? (
        <TrashBar chosen={chosen} onRestore={restore} onPurge={mayEmpty ? askPurge : undefined} onCancel={clear} />
      ) : (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, minHeight: 36, mb: 4 }}>
          <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
            <FolderPath zoneId={zoneId} zoneName={zoneName} path={[{ id: 0, name: t('trash.title') }]} />
          </Box>
          {mayEmpty && total > 0 && (
            <Button color="error" startIcon={<DeleteForeverRounded />} onClick={() => askPurge('all')}>
              {t('trash.empty')}
            </Button>
          )}
        </Box>
      )}
      <Summary total={total} weight={complete && entries ? weightOf(entries) : null} />
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
          chosen={keys}
          onToggle={toggle}
          onRestore={(entry) => restore([entry])}
          onPurge={mayEmpty ? (entry) => askPurge([entry]) : undefined}
          onNearEnd={loadMore}
        />
      )}
      <PurgeDialog what={purging} total={total} busy={busy} onConfirm={purge} onClose={dropPurge} />
    </>
  );
}

/** How long things stay, how many there are, and what they weigh once all of them are known. */
function Summary({ total, weight }: { total: number; weight: number | null }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const items = t('items', { count: total, formatted: format.number(total) });
  const facts = weight === null ? items : t('trash.counts', { items, size: format.size(weight) });
  return (
    <Typography variant="body2" color="textSecondary" sx={{ mb: 4 }}>
      {t('trash.stays')} {total > 0 && facts}
    </Typography>
  );
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
