import CreateNewFolderRounded from '@mui/icons-material/CreateNewFolderRounded';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import DriveFolderUploadRounded from '@mui/icons-material/DriveFolderUploadRounded';
import MoreVertRounded from '@mui/icons-material/MoreVertRounded';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

export interface FolderTools {
  /** Undefined if the viewer can't upload folders here. */
  onUploadFolder?: () => void;
  onDownloadAll?: () => void;
  /** URL of the trash; undefined if the viewer can't see it. */
  trashUrl?: string;
  /** A string instead of a function is the reason why folders can't be created here. */
  onNewFolder?: (() => void) | 'tooDeep' | 'inMirror';
}

/** The menu of the toolbar on phones. Empty menus aren't shown: a disabled entry alone is of no use. */
export function FileToolbarMenu({ onUploadFolder, onDownloadAll, trashUrl, onNewFolder }: FolderTools) {
  const { t } = useTranslation('files');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const closeAndRun = (action: () => void) => () => {
    close();
    action();
  };
  if (!onDownloadAll && !trashUrl && typeof onNewFolder !== 'function') return null;
  return (
    <>
      <IconButton
        aria-label={t('toolbarMenu')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu
        disablePortal
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ list: { 'aria-label': t('toolbarMenu') } }}
      >
        {onNewFolder && (
          <MenuItem
            disabled={typeof onNewFolder === 'string'}
            onClick={typeof onNewFolder === 'string' ? undefined : closeAndRun(onNewFolder)}
          >
            <CreateNewFolderRounded />
            {t('newFolder')}
          </MenuItem>
        )}
        {onUploadFolder && (
          <MenuItem onClick={closeAndRun(onUploadFolder)}>
            <DriveFolderUploadRounded />
            {t('uploadFolder')}
          </MenuItem>
        )}
        {onDownloadAll && (
          <MenuItem onClick={closeAndRun(onDownloadAll)}>
            <DownloadRounded />
            {t('downloadAll')}
          </MenuItem>
        )}
        {trashUrl && (
          <MenuItem component={Link} to={trashUrl}>
            <DeleteOutlineRounded />
            {t('trash.open')}
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
