import DriveFileRenameOutlineRounded from '@mui/icons-material/DriveFileRenameOutlineRounded';
import MoreVertRounded from '@mui/icons-material/MoreVertRounded';
import NotesRounded from '@mui/icons-material/NotesRounded';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '../sort-zones';

export type EditedField = 'name' | 'description';

interface Props {
  zone: Zone;
  onEdit: (zone: Zone, field: EditedField) => void;
}

/** Actions for a zone in the list; empty for people who can't change anything. */
export function ZoneMenu({ zone, onEdit }: Props) {
  const { t } = useTranslation('zones');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const handleEdit = (field: EditedField) => () => {
    setAnchor(null);
    onEdit(zone, field);
  };
  if (!zone.can.editSettings) return null;
  return (
    <>
      <IconButton
        aria-label={t('menu.label', { name: zone.name })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ position: 'relative', zIndex: 1 }}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu
        // Inside the main landmark, but outside virtualised rows.
        container={() => document.getElementById('main')}
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ list: { 'aria-label': t('menu.label', { name: zone.name }) } }}
      >
        <MenuItem onClick={handleEdit('name')}>
          <DriveFileRenameOutlineRounded />
          {t('menu.rename')}
        </MenuItem>
        <MenuItem onClick={handleEdit('description')}>
          <NotesRounded />
          {t('menu.describe')}
        </MenuItem>
      </Menu>
    </>
  );
}
