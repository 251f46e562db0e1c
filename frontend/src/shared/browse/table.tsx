import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { createContext, useContext, type KeyboardEvent, type ReactNode, type Ref } from 'react';

type TableRole = 'table' | 'grid';

const TableRoleContext = createContext<TableRole>('table');

interface TableFrameProps {
  label: string;
  /** Widths of the columns on wide screens, as CSS has them. On narrow ones a row is its first and its last cell. */
  columns: string;
  /** `grid` when arrow keys move among the rows. */
  role?: TableRole;
  /** Rows in all, the head included. */
  rowCount: number;
  onKeyDown?: (event: KeyboardEvent) => void;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** Rows in columns, in any number; the rows themselves may stand in `VirtualItems`. */
export function TableFrame({ label, columns, role = 'table', rowCount, onKeyDown, ref, children }: TableFrameProps) {
  return (
    <TableRoleContext value={role}>
      <Card
        ref={ref}
        role={role}
        aria-label={label}
        aria-rowcount={rowCount}
        onKeyDown={onKeyDown}
        sx={{ overflow: 'visible' }}
        style={{ '--columns': columns } as React.CSSProperties}
      >
        {children}
      </Card>
    </TableRoleContext>
  );
}

interface TableRowProps {
  /** Its number in the whole table, the head being 1. */
  rowIndex: number;
  isHeader?: boolean;
  /** Chosen or not; not given where rows cannot be chosen. */
  selected?: boolean;
  /** The one that was asked for. */
  isHighlighted?: boolean;
  onClick?: (event: React.MouseEvent) => void;
  onMouseDown?: (event: React.MouseEvent) => void;
  /** `over`: something would be dropped into it; `away`: it is being dragged itself. */
  dragState?: 'over' | 'away';
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** One row: 44 px, and as high as its two lines on narrow screens. */
export function TableRow({
  rowIndex,
  isHeader = false,
  selected,
  isHighlighted,
  onClick,
  onMouseDown,
  dragState,
  ref,
  children,
}: TableRowProps) {
  return (
    <Box
      ref={ref}
      role="row"
      aria-rowindex={rowIndex}
      aria-selected={selected}
      onClick={onClick}
      onMouseDown={onMouseDown}
      sx={{
        position: 'relative',
        display: isHeader ? { xs: 'none', md: 'grid' } : 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', md: 'var(--columns)' },
        alignItems: 'center',
        columnGap: 4,
        minHeight: { xs: 60, md: 44 },
        px: 4,
        ...(isHeader
          ? { typography: 'body2', fontWeight: 'fontWeightMedium', color: 'text.secondary' }
          : { borderTop: { md: 1 }, borderColor: { md: 'divider' }, '&:hover': { bgcolor: 'hover' } }),
        ...((selected || isHighlighted) && { '&, &:hover': { bgcolor: 'tint.accent' } }),
        ...(dragState === 'away' && { opacity: 0.5 }),
        ...(dragState === 'over' && {
          '&, &:hover': { bgcolor: 'tint.accent' },
          outline: 2,
          outlineStyle: 'solid',
          outlineColor: 'primary.main',
          outlineOffset: -2,
        }),
        ...(!isHeader && { 'div + div > &': { borderTop: 1, borderColor: 'divider' } }),
      }}
    >
      {children}
    </Box>
  );
}

interface TableCellProps {
  /** Shown on wide screens only. */
  hideOnMobile?: boolean;
  isHeader?: boolean;
  /** Figures stand at the end of their column. */
  isNumeric?: boolean;
  sortDirection?: 'ascending' | 'descending';
  children?: ReactNode;
}

/** One cell of a row. */
export function TableCell({
  hideOnMobile = false,
  isHeader = false,
  isNumeric = false,
  sortDirection,
  children,
}: TableCellProps) {
  const tableRole = useContext(TableRoleContext);
  const cellRole = tableRole === 'grid' ? 'gridcell' : 'cell';
  return (
    <Box
      role={isHeader ? 'columnheader' : cellRole}
      aria-sort={sortDirection}
      sx={{
        display: hideOnMobile ? { xs: 'none', md: 'flex' } : 'flex',
        alignItems: 'center',
        justifyContent: isNumeric ? 'flex-end' : 'flex-start',
        gap: 3,
        minWidth: 0,
        fontVariantNumeric: isNumeric ? 'tabular-nums' : undefined,
        color: hideOnMobile && !isHeader ? 'text.secondary' : undefined,
      }}
    >
      {children}
    </Box>
  );
}
