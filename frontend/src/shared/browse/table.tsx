import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { createContext, useContext, type KeyboardEvent, type ReactNode, type Ref } from 'react';

type Kind = 'table' | 'grid';

const KindContext = createContext<Kind>('table');

interface FrameProps {
  label: string;
  /** Widths of the columns on wide screens, as CSS has them. On narrow ones a row is its first and its last cell. */
  columns: string;
  /** `grid` when arrow keys move among the rows. */
  kind?: Kind;
  /** Rows in all, the head included. */
  rows: number;
  onKeyDown?: (event: KeyboardEvent) => void;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** Rows in columns, in any number; the rows themselves may stand in `VirtualItems`. */
export function TableFrame({ label, columns, kind = 'table', rows, onKeyDown, ref, children }: FrameProps) {
  return (
    <KindContext value={kind}>
      <Card
        ref={ref}
        role={kind}
        aria-label={label}
        aria-rowcount={rows}
        onKeyDown={onKeyDown}
        sx={{ overflow: 'visible' }}
        style={{ '--columns': columns } as React.CSSProperties}
      >
        {children}
      </Card>
    </KindContext>
  );
}

interface RowProps {
  /** Its number in the whole table, the head being 1. */
  at: number;
  head?: boolean;
  /** Chosen or not; not given where rows cannot be chosen. */
  selected?: boolean;
  /** The one that was asked for. */
  marked?: boolean;
  onClick?: (event: React.MouseEvent) => void;
  onMouseDown?: (event: React.MouseEvent) => void;
  /** `over`: something would be dropped into it; `away`: it is being dragged itself. */
  drag?: 'over' | 'away';
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** One row: 44 px, and as high as its two lines on narrow screens. */
export function TableRow({ at, head = false, selected, marked, onClick, onMouseDown, drag, ref, children }: RowProps) {
  return (
    <Box
      ref={ref}
      role="row"
      aria-rowindex={at}
      aria-selected={selected}
      onClick={onClick}
      onMouseDown={onMouseDown}
      sx={{
        position: 'relative',
        display: head ? { xs: 'none', md: 'grid' } : 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', md: 'var(--columns)' },
        alignItems: 'center',
        columnGap: 4,
        minHeight: { xs: 60, md: 44 },
        px: 4,
        ...(head
          ? { typography: 'body2', fontWeight: 'fontWeightMedium', color: 'text.secondary' }
          : { borderTop: { md: 1 }, borderColor: { md: 'divider' }, '&:hover': { bgcolor: 'hover' } }),
        ...((selected || marked) && { '&, &:hover': { bgcolor: 'tint.accent' } }),
        ...(drag === 'away' && { opacity: 0.5 }),
        ...(drag === 'over' && {
          '&, &:hover': { bgcolor: 'tint.accent' },
          outline: 2,
          outlineStyle: 'solid',
          outlineColor: 'primary.main',
          outlineOffset: -2,
        }),
        ...(!head && { 'div + div > &': { borderTop: 1, borderColor: 'divider' } }),
      }}
    >
      {children}
    </Box>
  );
}

interface CellProps {
  /** Shown on wide screens only. */
  wide?: boolean;
  head?: boolean;
  /** Figures stand at the end of their column. */
  figure?: boolean;
  sort?: 'ascending' | 'descending';
  children?: ReactNode;
}

/** One cell of a row. */
export function TableCell({ wide = false, head = false, figure = false, sort, children }: CellProps) {
  const kind = useContext(KindContext);
  const cell = kind === 'grid' ? 'gridcell' : 'cell';
  return (
    <Box
      role={head ? 'columnheader' : cell}
      aria-sort={sort}
      sx={{
        display: wide ? { xs: 'none', md: 'flex' } : 'flex',
        alignItems: 'center',
        justifyContent: figure ? 'flex-end' : 'flex-start',
        gap: 3,
        minWidth: 0,
        fontVariantNumeric: figure ? 'tabular-nums' : undefined,
        color: wide && !head ? 'text.secondary' : undefined,
      }}
    >
      {children}
    </Box>
  );
}
