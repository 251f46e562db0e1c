import Checkbox from '@mui/material/Checkbox';
import { useTranslation } from 'react-i18next';
import { entryName, type Entry } from '../entries';
import type { EntrySelection } from './use-selection';

/** Shows whether something is chosen, while anything is; Tab passes it by, as it does the rest of a row. */
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
