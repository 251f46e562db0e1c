import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { SelectField } from '../../../shared/ui/fields/select-field';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { useAllFolders } from '../api/use-all-folders';
import { entryName, maxFolderDepth, type Entry } from '../entries';
import {
  buildFolderTree,
  findMoveError,
  findTransferError,
  parentIdOf,
  pathTo,
  type FolderTree,
  type MoveTarget,
  type ZoneTarget,
} from './folder-tree';
import { FolderTreeView } from './folder-tree-view';

/** Entries that are moved or copied. */
export interface Placement {
  action: 'move' | 'copy';
  entries: readonly Entry[];
}

interface Props {
  zoneId: number;
  zoneName: string;
  /** Whether the zone is the user's own: its entries can go to their other zones. */
  isOwner: boolean;
  /** What to move or copy; null closes the dialog. */
  placement: Placement | null;
  onPlace: (placement: Placement, target: ZoneTarget) => void;
  onClose: () => void;
}

/** Asks for the target of a move or copy. */
export function MoveDialog({ placement, onClose, ...rest }: Props) {
  const id = useId();
  return (
    <Dialog open={placement !== null} onClose={onClose} aria-labelledby={id} maxWidth="sm">
      {placement && <MoveForm titleId={id} placement={placement} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

type MoveFormProps = Props & { titleId: string; placement: Placement };

function MoveForm({ titleId, zoneId, zoneName, isOwner, placement, onPlace, onClose }: MoveFormProps) {
  const { t } = useTranslation('files');
  const { t: tCommon } = useTranslation();
  const { action, entries } = placement;
  const { data: zones = [] } = $api.useQuery('get', '/api/zones', {}, { enabled: isOwner });
  const [targetZoneId, setTargetZoneId] = useState(zoneId);
  const targetZoneName = zones.find(({ id }) => id === targetZoneId)?.name ?? zoneName;
  const { folders: ownFolders } = useAllFolders(zoneId);
  const { folders, error, refetch } = useAllFolders(targetZoneId);
  const ownTree = useMemo(() => ownFolders && buildFolderTree(ownFolders), [ownFolders]);
  const tree = useMemo(() => folders && buildFolderTree(folders), [folders]);
  const [target, setTarget] = useState<MoveTarget | null>(null);
  const title = useDialogTitle(placement);
  const findError = (id: number | null) => {
    if (!tree || !ownTree) return 'alreadyHere';
    const isMoveWithin = action === 'move' && targetZoneId === zoneId;
    return isMoveWithin ? findMoveError(tree, entries, id) : findTransferError(tree, ownTree, entries, id);
  };
  const moveError = target ? findError(target.id) : 'alreadyHere';
  const isLoaded = tree !== undefined && ownTree !== undefined;
  const submit = () => {
    if (!target || moveError) return;
    onClose();
    onPlace(placement, { ...target, zoneId: targetZoneId });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      <DialogContent>
        {zones.length > 1 && (
          <Box sx={{ mb: 3 }}>
            <SelectField
              label={t('transfer.zone')}
              value={String(targetZoneId)}
              onChange={(id) => {
                setTargetZoneId(Number(id));
                setTarget(Number(id) === zoneId ? null : { id: null, name: nameOf(zones, Number(id)) });
              }}
            >
              {zones.map(({ id, name }) => (
                <option key={id} value={String(id)}>
                  {name}
                </option>
              ))}
            </SelectField>
          </Box>
        )}
        {error && !tree && <ErrorState title={t('moving.foldersFailed')} error={error} onRetry={refetch} />}
        {!isLoaded && !error && <RowsSkeleton rows={4} />}
        {isLoaded && (
          <FolderTreeView
            key={targetZoneId}
            tree={tree}
            zoneName={targetZoneName}
            initialFolderId={targetZoneId === zoneId ? commonParentId(entries) : null}
            getMoveError={findError}
            onSelect={setTarget}
            onSubmit={submit}
          />
        )}
        <Typography variant="body2" color="textSecondary" role="status" sx={{ mt: 2, minHeight: 20 }}>
          {isLoaded && target && moveError && t(`moving.${moveError}`, { allowed: maxFolderDepth })}
          {isLoaded && target && !moveError && formatTargetPath(tree, target, targetZoneName)}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{tCommon('actions.cancel')}</Button>
        <Button type="submit" variant="contained" color="primary" disabled={!target || moveError !== null}>
          {t(action === 'copy' ? 'transfer.submitCopy' : 'moving.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

function useDialogTitle({ action, entries }: Placement): string {
  const { t } = useTranslation('files');
  const format = useFormat();
  const count = entries.length;
  if (count === 1) return t(action === 'copy' ? 'transfer.title' : 'moving.title', { name: entryName(entries[0]!) });
  return t(action === 'copy' ? 'transfer.titleSeveral' : 'moving.titleSeveral', { formatted: format.number(count) });
}

const nameOf = (zones: readonly { id: number; name: string }[], zoneId: number) =>
  zones.find(({ id }) => id === zoneId)?.name ?? '';

/** Returns the current folder of all entries; the root of the zone if they come from several folders. */
function commonParentId(entries: readonly Entry[]): number | null {
  const parents = new Set(entries.map(parentIdOf));
  return parents.size === 1 ? [...parents][0]! : null;
}

/** Formats the path of the chosen target, such as "Studio / Drafts / 2026". */
function formatTargetPath(tree: FolderTree, { id }: MoveTarget, zoneName: string): string {
  return [zoneName, ...pathTo(tree, id).map(({ folder }) => folder.name)].join(' / ');
}
