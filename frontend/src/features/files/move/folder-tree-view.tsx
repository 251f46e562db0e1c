import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import FolderRounded from '@mui/icons-material/FolderRounded';
import FolderSpecialRounded from '@mui/icons-material/FolderSpecialRounded';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { listVisibleRows, pathTo, type FolderTree, type TreeRow, type MoveError, type MoveTarget } from './folder-tree';

interface Props {
  tree: FolderTree;
  zoneName: string;
  /** The current folder; the tree is expanded down to it. */
  initialFolderId: number | null;
  getMoveError: (id: number | null) => MoveError;
  onSelect: (target: MoveTarget) => void;
  /** Called when Enter is pressed. */
  onSubmit: () => void;
}

/** Folder tree of a zone to pick a target from. Arrow keys move, expand and collapse; Enter confirms. */
export function FolderTreeView({ tree, zoneName, initialFolderId, getMoveError, onSelect, onSubmit }: Props) {
  const { t } = useTranslation('files');
  const box = useRef<HTMLUListElement>(null);
  const [expandedIds, setExpandedIds] = useState<ReadonlySet<number>>(
    () => new Set(pathTo(tree, initialFolderId).map(({ folder }) => folder.id)),
  );
  const [selectedId, setSelectedId] = useState<number | null>(initialFolderId);
  const rows = useMemo(() => listVisibleRows(tree, zoneName, expandedIds), [tree, zoneName, expandedIds]);
  const selectRow = ({ id, name }: MoveTarget) => {
    setSelectedId(id);
    onSelect({ id, name });
  };
  const setFolderExpanded = (id: number | null, isExpanded: boolean) => {
    if (id === null) return;
    setExpandedIds((previous) => withExpanded(previous, id, isExpanded));
    const [collapsedAncestor] = pathTo(tree, selectedId).filter(({ folder }) => folder.id === id && id !== selectedId);
    if (!isExpanded && collapsedAncestor) selectRow({ id, name: collapsedAncestor.folder.name });
  };
  useFocusSelectedRow(box, selectedId);
  const onKeyDown = (event: KeyboardEvent) => {
    const index = rows.findIndex(({ id }) => id === selectedId);
    const row = rows[index];
    if (!row) return;
    const isExpanded = row.id !== null && expandedIds.has(row.id);
    if (event.key === 'Enter') onSubmit();
    else if (event.key === 'ArrowRight' && row.hasChildren && !isExpanded) setFolderExpanded(row.id, true);
    else if (event.key === 'ArrowLeft' && isExpanded) setFolderExpanded(row.id, false);
    else {
      const next = rows[nextRowIndex(event.key, rows, index)];
      if (!next) return;
      selectRow(next);
    }
    event.preventDefault();
  };
  return (
    <Box
      ref={box}
      component="ul"
      role="tree"
      aria-label={t('moving.places')}
      onKeyDown={onKeyDown}
      sx={{
        m: 0,
        p: 1,
        maxHeight: 'min(360px, 50vh)',
        overflowY: 'auto',
        listStyle: 'none',
        border: 1,
        borderColor: 'outline',
        borderRadius: 1,
      }}
    >
      {rows.map((row) => (
        <FolderTreeRow
          key={row.id ?? 'zone'}
          row={row}
          isExpanded={row.id === null || expandedIds.has(row.id)}
          isSelected={row.id === selectedId}
          moveError={getMoveError(row.id)}
          onSelect={() => selectRow(row)}
          onToggle={() => setFolderExpanded(row.id, !expandedIds.has(row.id!))}
        />
      ))}
    </Box>
  );
}

interface FolderTreeRowProps {
  row: TreeRow;
  isExpanded: boolean;
  isSelected: boolean;
  moveError: MoveError;
  onSelect: () => void;
  onToggle: () => void;
}

function FolderTreeRow({ row, isExpanded, isSelected, moveError, onSelect, onToggle }: FolderTreeRowProps) {
  const { t } = useTranslation('files');
  const Icon = row.id === null ? FolderSpecialRounded : FolderRounded;
  return (
    <Box
      component="li"
      role="treeitem"
      aria-level={row.depth + 1}
      aria-expanded={row.hasChildren ? isExpanded : undefined}
      aria-selected={isSelected}
      aria-disabled={moveError !== null}
      data-place={row.id ?? 'zone'}
      tabIndex={isSelected ? 0 : -1}
      onClick={onSelect}
      onDoubleClick={onToggle}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        minHeight: 36,
        '@media (pointer: coarse)': { minHeight: 44 },
        pl: row.depth * 5 + 1,
        pr: 3,
        borderRadius: 1,
        cursor: 'pointer',
        color: moveError ? 'text.secondary' : 'text.primary',
        bgcolor: isSelected ? 'tint.accent' : undefined,
        '&:hover': { bgcolor: isSelected ? 'tint.accent' : 'hover' },
        contentVisibility: 'auto',
        containIntrinsicSize: 'auto 36px',
        '&:focus-visible': { outline: 2, outlineStyle: 'solid', outlineColor: 'primary.main', outlineOffset: -2 },
      }}
    >
      <Box
        aria-hidden
        title={isExpanded ? t('moving.close') : t('moving.open')}
        onClick={(event) => {
          event.stopPropagation();
          onToggle();
        }}
        sx={{ display: 'flex', flex: 'none', visibility: row.hasChildren ? 'visible' : 'hidden' }}
      >
        <ExpandMoreRounded
          sx={{
            color: 'text.secondary',
            transform: isExpanded ? undefined : 'rotate(-90deg)',
            transition: 'transform 120ms',
          }}
        />
      </Box>
      <Icon aria-hidden sx={{ flex: 'none', color: 'text.secondary' }} />
      <Typography noWrap component="span" title={row.name} sx={{ flex: 1, minWidth: 0 }}>
        {row.name}
      </Typography>
      {moveError && (
        <Typography variant="caption" color="textSecondary" component="span" aria-hidden sx={{ flex: 'none' }}>
          {t(`moving.short.${moveError}`)}
        </Typography>
      )}
    </Box>
  );
}

function withExpanded(expandedIds: ReadonlySet<number>, id: number, isExpanded: boolean): ReadonlySet<number> {
  const next = new Set(expandedIds);
  if (isExpanded) next.add(id);
  else next.delete(id);
  return next;
}

/** Returns the index of the row a key leads to; an index out of range if the key has no meaning. */
function nextRowIndex(key: string, rows: readonly TreeRow[], index: number): number {
  if (key === 'ArrowDown') return Math.min(rows.length - 1, index + 1);
  if (key === 'ArrowUp') return Math.max(0, index - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return rows.length - 1;
  if (key === 'ArrowRight') return rows[index]?.hasChildren ? index + 1 : -1;
  if (key === 'ArrowLeft') return rows.findIndex(({ id }) => id === rows[index]?.parentId);
  return -1;
}

/** Focuses the selected row and scrolls it into view, also initially. */
function useFocusSelectedRow(box: React.RefObject<HTMLElement | null>, selectedId: number | null): void {
  useEffect(() => {
    box.current?.querySelector<HTMLElement>(`[data-place="${selectedId ?? 'zone'}"]`)?.focus();
  }, [box, selectedId]);
}
