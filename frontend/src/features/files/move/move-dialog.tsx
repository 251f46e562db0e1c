import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { useAllFolders } from '../api/use-all-folders';
import { entryName, maxFolderDepth, type Entry } from '../entries';
import { findMoveError, parentIdOf, pathTo, buildFolderTree, type FolderTree, type MoveTarget } from './folder-tree';
import { FolderTreeView } from './folder-tree-view';

interface Props {
  zoneId: number;
  zoneName: string;
  /** The entries to move; null closes the dialog. */
  entries: readonly Entry[] | null;
  onMove: (entries: readonly Entry[], target: MoveTarget) => void;
  onClose: () => void;
}

/** Asks for the target of a move within the zone. */
export function MoveDialog({ entries, onClose, ...rest }: Props) {
  const id = useId();
  return (
    <Dialog open={entries !== null} onClose={onClose} aria-labelledby={id} maxWidth="sm">
      {entries && <MoveForm titleId={id} entries={entries} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

type MoveFormProps = Props & { titleId: string; entries: readonly Entry[] };

function MoveForm({ titleId, zoneId, zoneName, entries, onMove, onClose }: MoveFormProps) {
  const { t } = useTranslation('files');
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  const { folders, error, refetch } = useAllFolders(zoneId);
  const tree = useMemo(() => folders && buildFolderTree(folders), [folders]);
  const [target, setTarget] = useState<MoveTarget | null>(null);
  const count = entries.length;
  const title =
    count === 1
      ? t('moving.title', { name: entryName(entries[0]!) })
      : t('moving.titleSeveral', { formatted: format.number(count) });
  const moveError = tree && target ? findMoveError(tree, entries, target.id) : 'alreadyHere';
  const submit = () => {
    if (!target || moveError) return;
    onClose();
    onMove(entries, target);
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
        {error && !tree && <ErrorState title={t('moving.foldersFailed')} error={error} onRetry={refetch} />}
        {!tree && !error && <RowsSkeleton rows={4} />}
        {tree && (
          <FolderTreeView
            tree={tree}
            zoneName={zoneName}
            initialFolderId={commonParentId(entries)}
            getMoveError={(id) => findMoveError(tree, entries, id)}
            onSelect={setTarget}
            onSubmit={submit}
          />
        )}
        <Typography variant="body2" color="textSecondary" role="status" sx={{ mt: 2, minHeight: 20 }}>
          {tree && target && moveError && t(`moving.${moveError}`, { allowed: maxFolderDepth })}
          {tree && target && !moveError && formatTargetPath(tree, target, zoneName)}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{tCommon('actions.cancel')}</Button>
        <Button type="submit" variant="contained" color="primary" disabled={!target || moveError !== null}>
          {t('moving.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Returns the current folder of all entries; the root of the zone if they come from several folders. */
function commonParentId(entries: readonly Entry[]): number | null {
  const parents = new Set(entries.map(parentIdOf));
  return parents.size === 1 ? [...parents][0]! : null;
}

/** Formats the path of the chosen target, such as "Studio / Drafts / 2026". */
function formatTargetPath(tree: FolderTree, { id }: MoveTarget, zoneName: string): string {
  return [zoneName, ...pathTo(tree, id).map(({ folder }) => folder.name)].join(' / ');
}
