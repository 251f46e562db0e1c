import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { createContext, useContext, type KeyboardEvent, type ReactNode, type Ref } from 'react';

type TableRole = 'table' | 'grid';

const TableRoleContext = createContext<TableRole>('table');

interface TableFrameProps {
  label: string;
  /**
   * Widths of the columns on wide screens, in CSS syntax. On narrow screens a row shows only its first and last cell.
   */
  columns: string;
  /** `grid` if arrow keys move between the rows. */
  role?: TableRole;
  /** All rows, including the header. */
  rowCount: number;
  onKeyDown?: (event: KeyboardEvent) => void;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** A table with any number of rows, which may be inside `VirtualItems`. */
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
  /** Its number in the whole table; the header is 1. */
  rowIndex: number;
  isHeader?: boolean;
  /** Undefined where rows can't be selected. */
  selected?: boolean;
  /** The row the user was sent to. */
  isHighlighted?: boolean;
  onClick?: (event: React.MouseEvent) => void;
  onMouseDown?: (event: React.MouseEvent) => void;
  /** `over`: items would be dropped into this row; `away`: the row itself is being dragged. */
  dragState?: 'over' | 'away';
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** One row: 44 px high, or two lines on narrow screens. */
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
      data-selectable={selected === undefined ? undefined : ''}
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
  hideOnMobile?: boolean;
  isHeader?: boolean;
  /** Numbers are aligned to the end of their column. */
  isNumeric?: boolean;
  sortDirection?: 'ascending' | 'descending';
  children?: ReactNode;
}

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
