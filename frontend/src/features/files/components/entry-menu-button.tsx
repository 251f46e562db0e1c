import MoreVertRounded from '@mui/icons-material/MoreVertRounded';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { entryName, type Entry } from '../entries';
import type { EntryActions } from './entry-actions';

/** Opens the menu of a folder or file. */
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
