import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import FolderRounded from '@mui/icons-material/FolderRounded';
import FolderSpecialRounded from '@mui/icons-material/FolderSpecialRounded';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { linesOf, pathTo, type FolderTree, type Line, type Obstacle, type Place } from './folder-tree';

interface Props {
  tree: FolderTree;
  zoneName: string;
  /** The folder in which one is; the tree is open down to it. */
  here: number | null;
  obstacleAt: (id: number | null) => Obstacle;
  onPlace: (place: Place) => void;
  /** Told when Enter is pressed. */
  onSubmit: () => void;
}

/** The folders of a zone to choose one of. Arrow keys go up and down, open and close; Enter takes the one chosen. */
export function FolderTreeView({ tree, zoneName, here, obstacleAt, onPlace, onSubmit }: Props) {
  const { t } = useTranslation('files');
  const box = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(
    () => new Set(pathTo(tree, here).map(({ folder }) => folder.id)),
  );
  const [chosen, setChosen] = useState<number | null>(here);
  const lines = useMemo(() => linesOf(tree, zoneName, open), [tree, zoneName, open]);
  const choose = ({ id, name }: Place) => {
    setChosen(id);
    onPlace({ id, name });
  };
  const turn = (id: number | null, opened: boolean) => {
    if (id === null) return;
    setOpen((before) => turned(before, id, opened));
    const [hiddenIn] = pathTo(tree, chosen).filter(({ folder }) => folder.id === id && id !== chosen);
    if (!opened && hiddenIn) choose({ id, name: hiddenIn.folder.name });
  };
  useFocus(box, chosen);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = lines.findIndex(({ id }) => id === chosen);
    const line = lines[at];
    if (!line) return;
    const isOpen = line.id !== null && open.has(line.id);
    if (event.key === 'Enter') onSubmit();
    else if (event.key === 'ArrowRight' && line.opens && !isOpen) turn(line.id, true);
    else if (event.key === 'ArrowLeft' && isOpen) turn(line.id, false);
    else {
      const next = lines[nextLine(event.key, lines, at)];
      if (!next) return;
      choose(next);
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
      {lines.map((line) => (
        <TreeLine
          key={line.id ?? 'zone'}
          line={line}
          open={line.id === null || open.has(line.id)}
          chosen={line.id === chosen}
          obstacle={obstacleAt(line.id)}
          onChoose={() => choose(line)}
          onTurn={() => turn(line.id, !open.has(line.id!))}
        />
      ))}
    </Box>
  );
}

interface LineProps {
  line: Line;
  open: boolean;
  chosen: boolean;
  obstacle: Obstacle;
  onChoose: () => void;
  onTurn: () => void;
}

function TreeLine({ line, open, chosen, obstacle, onChoose, onTurn }: LineProps) {
  const { t } = useTranslation('files');
  const Icon = line.id === null ? FolderSpecialRounded : FolderRounded;
  return (
    <Box
      component="li"
      role="treeitem"
      aria-level={line.depth + 1}
      aria-expanded={line.opens ? open : undefined}
      aria-selected={chosen}
      aria-disabled={obstacle !== null}
      data-place={line.id ?? 'zone'}
      tabIndex={chosen ? 0 : -1}
      onClick={onChoose}
      onDoubleClick={onTurn}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        minHeight: 36,
        '@media (pointer: coarse)': { minHeight: 44 },
        pl: line.depth * 5 + 1,
        pr: 3,
        borderRadius: 1,
        cursor: 'pointer',
        color: obstacle ? 'text.secondary' : 'text.primary',
        bgcolor: chosen ? 'tint.accent' : undefined,
        '&:hover': { bgcolor: chosen ? 'tint.accent' : 'hover' },
        contentVisibility: 'auto',
        containIntrinsicSize: 'auto 36px',
        '&:focus-visible': { outline: 2, outlineStyle: 'solid', outlineColor: 'primary.main', outlineOffset: -2 },
      }}
    >
      <Box
        aria-hidden
        title={open ? t('moving.close') : t('moving.open')}
        onClick={(event) => {
          event.stopPropagation();
          onTurn();
        }}
        sx={{ display: 'flex', flex: 'none', visibility: line.opens ? 'visible' : 'hidden' }}
      >
        <ExpandMoreRounded
          sx={{
            color: 'text.secondary',
            transform: open ? undefined : 'rotate(-90deg)',
            transition: 'transform 120ms',
          }}
        />
      </Box>
      <Icon aria-hidden sx={{ flex: 'none', color: 'text.secondary' }} />
      <Typography noWrap component="span" title={line.name} sx={{ flex: 1, minWidth: 0 }}>
        {line.name}
      </Typography>
      {obstacle && (
        <Typography variant="caption" color="textSecondary" component="span" aria-hidden sx={{ flex: 'none' }}>
          {t(`moving.short.${obstacle}`)}
        </Typography>
      )}
    </Box>
  );
}

function turned(open: ReadonlySet<number>, id: number, opened: boolean): ReadonlySet<number> {
  const next = new Set(open);
  if (opened) next.add(id);
  else next.delete(id);
  return next;
}

/** The line that a key leads to; one that is not there when the key means nothing. */
function nextLine(key: string, lines: readonly Line[], at: number): number {
  if (key === 'ArrowDown') return Math.min(lines.length - 1, at + 1);
  if (key === 'ArrowUp') return Math.max(0, at - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return lines.length - 1;
  if (key === 'ArrowRight') return lines[at]?.opens ? at + 1 : -1;
  if (key === 'ArrowLeft') return lines.findIndex(({ id }) => id === lines[at]?.parentId);
  return -1;
}

/** The chosen line has the focus and is in sight, from the beginning on. */
function useFocus(box: React.RefObject<HTMLElement | null>, chosen: number | null): void {
  useEffect(() => {
    box.current?.querySelector<HTMLElement>(`[data-place="${chosen ?? 'zone'}"]`)?.focus();
  }, [box, chosen]);
}
