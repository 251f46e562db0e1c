import { useMemo } from 'react';
import type { SelectionActions } from './use-selection';

/** The selection as one row or card needs it. */
export interface RowSelection extends SelectionActions {
  /** Something is selected; a click then selects instead of opening. */
  isActive: boolean;
  isSelected: boolean;
}

/** Props of a row or card that is rendered again only if its own part of the selection changes. */
export interface SelectableProps {
  /** Undefined if nothing can be selected. */
  selectionActions?: SelectionActions;
  isSelecting: boolean;
  isSelected: boolean;
}

export function useRowSelection({ selectionActions, isSelecting, isSelected }: SelectableProps) {
  return useMemo(
    (): RowSelection | undefined => selectionActions && { ...selectionActions, isActive: isSelecting, isSelected },
    [selectionActions, isSelecting, isSelected],
  );
}
