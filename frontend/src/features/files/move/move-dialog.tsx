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
import { entryName, maxDepth, type Entry } from '../entries';
import { obstacleAt, parentOf, pathTo, treeOf, type FolderTree, type Place } from './folder-tree';
import { FolderTreeView } from './folder-tree-view';

interface Props {
  zoneId: number;
  zoneName: string;
  /** What is to be moved; null shows nothing. */
  entries: readonly Entry[] | null;
  onMove: (entries: readonly Entry[], place: Place) => void;
  onClose: () => void;
}

/** Asks where in the zone things are to go. */
export function MoveDialog({ entries, onClose, ...rest }: Props) {
  const id = useId();
  return (
    <Dialog open={entries !== null} onClose={onClose} aria-labelledby={id} maxWidth="sm">
      {entries && <MoveForm titleId={id} entries={entries} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

type FormProps = Props & { titleId: string; entries: readonly Entry[] };

function MoveForm({ titleId, zoneId, zoneName, entries, onMove, onClose }: FormProps) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const format = useFormat();
  const { folders, error, refetch } = useAllFolders(zoneId);
  const tree = useMemo(() => folders && treeOf(folders), [folders]);
  const [place, setPlace] = useState<Place | null>(null);
  const count = entries.length;
  const title =
    count === 1
      ? t('moving.title', { name: entryName(entries[0]!) })
      : t('moving.titleSeveral', { formatted: format.number(count) });
  const obstacle = tree && place ? obstacleAt(tree, entries, place.id) : 'alreadyHere';
  const submit = () => {
    if (!place || obstacle) return;
    onClose();
    onMove(entries, place);
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
            here={hereOf(entries)}
            obstacleAt={(id) => obstacleAt(tree, entries, id)}
            onPlace={setPlace}
            onSubmit={submit}
          />
        )}
        <Typography variant="body2" color="textSecondary" role="status" sx={{ mt: 2, minHeight: 20 }}>
          {tree && place && obstacle && t(`moving.${obstacle}`, { allowed: maxDepth })}
          {tree && place && !obstacle && whereTo(tree, place, zoneName)}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" variant="contained" color="primary" disabled={!place || obstacle !== null}>
          {t('moving.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Where all of it lies now; the top of the zone when it comes from several places. */
function hereOf(entries: readonly Entry[]): number | null {
  const parents = new Set(entries.map(parentOf));
  return parents.size === 1 ? [...parents][0]! : null;
}

/** The way to the chosen place in words, such as "Studio / Drafts / 2026". */
function whereTo(tree: FolderTree, { id }: Place, zoneName: string): string {
  return [zoneName, ...pathTo(tree, id).map(({ folder }) => folder.name)].join(' / ');
}
