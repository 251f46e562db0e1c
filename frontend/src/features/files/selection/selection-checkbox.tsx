import Checkbox from '@mui/material/Checkbox';
import { useTranslation } from 'react-i18next';
import { entryName, type Entry } from '../entries';
import type { EntrySelection } from './use-selection';

/** Shows whether an entry is selected, during a selection; not a tab stop, like the rest of a row. */
export function SelectionCheckbox({
  entry,
  selection,
  tabIndex,
}: {
  entry: Entry;
  selection: EntrySelection;
  tabIndex: number;
}) {
  const { t } = useTranslation('files');
  return (
    <Checkbox
      size="small"
      checked={selection.isSelected(entry)}
      onClick={(event) => event.shiftKey && event.preventDefault()}
      onChange={() => selection.toggle(entry)}
      slotProps={{ input: { 'aria-label': t('selection.choose', { name: entryName(entry) }), tabIndex } }}
      sx={{ zIndex: 1, flex: 'none', p: 0 }}
    />
  );
}
