import MoreVertRounded from '@mui/icons-material/MoreVertRounded';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { abilitiesOf, entryName, isReadOnly, type Entry } from '../entries';
import type { EntryActions } from './entry-actions';

/** Opens the menu of a folder or file; nothing where the menu would be empty. */
export function EntryMenuButton({
  entry,
  actions,
  tabIndex,
}: {
  entry: Entry;
  actions: EntryActions;
  tabIndex: number;
}) {
  const { t } = useTranslation('files');
  const { rename, delete: remove } = abilitiesOf(entry);
  // To open a folder takes no menu.
  if (entry.kind === 'folder' && !rename && !remove && !isReadOnly(entry)) return null;
  return (
    <IconButton
      aria-label={t('menu', { name: entryName(entry) })}
      aria-haspopup="menu"
      tabIndex={tabIndex}
      onClick={(event) => actions.openMenu(entry, event.currentTarget)}
      sx={{ position: 'relative', zIndex: 1 }}
    >
      <MoreVertRounded />
    </IconButton>
  );
}
