import Checkbox from '@mui/material/Checkbox';
import { useTranslation } from 'react-i18next';
import { entryName, type Entry } from '../entries';
import type { RowSelection } from './use-row-selection';

/**
 * Selects an entry. Visible during a selection, on touch screens, and while the pointer or the focus is on the row or
 * card, which has `data-selectable`.
 */
export function SelectionCheckbox({
  entry,
  selection,
  tabIndex,
  isInCorner = false,
}: {
  entry: Entry;
  selection: RowSelection;
  tabIndex: number;
  /** On a card, over its preview. */
  isInCorner?: boolean;
}) {
  const { t } = useTranslation('files');
  return (
    <Checkbox
      size="small"
      checked={selection.isSelected}
      onClick={(event) => event.shiftKey && event.preventDefault()}
      onChange={() => selection.toggle(entry)}
      slotProps={{ input: { 'aria-label': t('selection.choose', { name: entryName(entry) }), tabIndex } }}
      disableRipple
      sx={[
        { zIndex: 1, flex: 'none', p: 0 },
        isInCorner && {
          ...{ position: 'absolute', top: 12, left: 12 },
          ...{ bgcolor: 'background.paper', backgroundClip: 'content-box', borderRadius: 0 },
        },
        !selection.isActive && {
          opacity: 0,
          '[data-selectable]:hover &, [data-selectable]:focus-within &': { opacity: 1 },
          '@media (pointer: coarse)': { opacity: 1 },
        },
        // A finger needs an area larger than the box.
        { '@media (pointer: coarse)': { p: 3, m: -3 } },
      ]}
    />
  );
}
