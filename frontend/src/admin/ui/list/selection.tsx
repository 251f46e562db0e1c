import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useListContext, type RaRecord } from 'react-admin';
import { Column } from './column';

interface SelectColumnProps<T extends RaRecord> {
  selectAllLabel: string;
  getLabel: (row: T) => string;
  /** Rows for which it returns false have no checkbox. */
  isSelectable?: (row: T) => boolean;
}

/** A column of checkboxes that names each row to screen readers, which react-admin's own doesn't; also in cards. */
export function SelectColumn<T extends RaRecord>({
  selectAllLabel,
  getLabel,
  isSelectable = () => true,
}: SelectColumnProps<T>) {
  return (
    <Column<T>
      disableSort
      inCard="action"
      label={<SelectPageCheckbox label={selectAllLabel} isSelectable={isSelectable} />}
      render={(row) => (isSelectable(row) ? <SelectRowCheckbox id={row.id} label={getLabel(row)} /> : null)}
    />
  );
}

function SelectRowCheckbox({ id, label }: { id: RaRecord['id']; label: string }) {
  const { selectedIds, onToggleItem } = useListContext();
  return (
    <Checkbox
      checked={selectedIds.includes(id)}
      onClick={(event) => event.stopPropagation()}
      onChange={() => onToggleItem(id)}
      slotProps={{ input: { 'aria-label': label } }}
    />
  );
}

/** Selects every selectable row of the page, or none. */
function SelectPageCheckbox<T extends RaRecord>({
  label,
  isSelectable,
}: {
  label: string;
  isSelectable: (row: T) => boolean;
}) {
  const { data = [], selectedIds, onSelect } = useListContext<T>();
  const pageIds = data.filter(isSelectable).map(({ id }) => id);
  const selectedCount = pageIds.filter((id) => selectedIds.includes(id)).length;
  const areAllSelected = selectedCount > 0 && selectedCount === pageIds.length;
  const otherSelectedIds = selectedIds.filter((id) => !pageIds.includes(id));
  return (
    <Checkbox
      checked={areAllSelected}
      indeterminate={selectedCount > 0 && !areAllSelected}
      disabled={pageIds.length === 0}
      onChange={() => onSelect(areAllSelected ? otherSelectedIds : [...otherSelectedIds, ...pageIds])}
      slotProps={{ input: { 'aria-label': label } }}
    />
  );
}

interface BulkActionsProps {
  formatCount: (count: number) => string;
  clearLabel: string;
  /** Buttons for the selected rows. */
  children: ReactNode;
  /** Buttons that need no selection. */
  otherActions?: ReactNode;
}

/** The number of selected rows, what can be done with them, and a button that clears the selection. */
export function BulkActions({ formatCount, clearLabel, children, otherActions }: BulkActionsProps) {
  const { selectedIds, onUnselectItems } = useListContext();
  const selectedCount = selectedIds.length;
  const isHidden = selectedCount === 0 && !otherActions;
  return (
    <Box sx={{ display: isHidden ? 'none' : 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
      <Box role="status" sx={{ display: selectedCount === 0 ? 'none' : 'block' }}>
        {selectedCount > 0 && <Typography>{formatCount(selectedCount)}</Typography>}
      </Box>
      {selectedCount > 0 && (
        <>
          {children}
          <Button onClick={() => onUnselectItems()}>{clearLabel}</Button>
        </>
      )}
      {otherActions}
    </Box>
  );
}
