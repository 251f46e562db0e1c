import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import DeleteRounded from '@mui/icons-material/DeleteRounded';
import EditRounded from '@mui/icons-material/EditRounded';
import InsightsRounded from '@mui/icons-material/InsightsRounded';
import MoreVertRounded from '@mui/icons-material/MoreVertRounded';
import PauseRounded from '@mui/icons-material/PauseRounded';
import PlayArrowRounded from '@mui/icons-material/PlayArrowRounded';
import QrCode2Rounded from '@mui/icons-material/QrCode2Rounded';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Actions that open a dialog or panel over the list. */
export type LinkAction = 'qr' | 'analytics' | 'edit' | 'delete';

interface Props {
  link: { readonly name: string; readonly isActive: boolean };
  onOpen: (what: LinkAction) => void;
  onCopy: () => void;
  onActiveChange: (isActive: boolean) => void;
}

/** Actions for a link. */
export function LinkMenu({ link, onOpen, onCopy, onActiveChange }: Props) {
  const { t } = useTranslation('links');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const label = t('menu.label', { name: link.name });
  const renderItem = (icon: ReactNode, text: string, onSelect: () => void) => (
    <MenuItem
      onClick={() => {
        setAnchor(null);
        onSelect();
      }}
    >
      {icon}
      {text}
    </MenuItem>
  );
  return (
    <>
      <IconButton
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu
        // In a drawer the page behind it is hidden from assistive technology.
        container={() => anchor?.closest('[role=dialog]') ?? document.getElementById('main')}
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ list: { 'aria-label': label } }}
      >
        {renderItem(<ContentCopyRounded />, t('menu.copy'), onCopy)}
        {renderItem(<QrCode2Rounded />, t('menu.qr'), () => onOpen('qr'))}
        {renderItem(<InsightsRounded />, t('menu.analytics'), () => onOpen('analytics'))}
        {renderItem(<EditRounded />, t('menu.edit'), () => onOpen('edit'))}
        {link.isActive
          ? renderItem(<PauseRounded />, t('menu.pause'), () => onActiveChange(false))
          : renderItem(<PlayArrowRounded />, t('menu.resume'), () => onActiveChange(true))}
        {renderItem(<DeleteRounded />, t('menu.delete'), () => onOpen('delete'))}
      </Menu>
    </>
  );
}
