import ArrowDropDownRounded from '@mui/icons-material/ArrowDropDownRounded';
import DriveFolderUploadRounded from '@mui/icons-material/DriveFolderUploadRounded';
import UploadFileRounded from '@mui/icons-material/UploadFileRounded';
import UploadRounded from '@mui/icons-material/UploadRounded';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Undefined if the viewer can't upload. */
  onUpload?: () => void;
  /** Undefined if the viewer can't create folders here. */
  onUploadFolder?: () => void;
}

/** Opens the file dialog, or a menu, in a button of the same width, if folders can be chosen too. */
export function UploadButton({ onUpload, onUploadFolder }: Props) {
  const { t } = useTranslation('files');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const closeAndRun = (action: () => void) => () => {
    close();
    action();
  };
  if (!onUpload) return null;
  if (!onUploadFolder) {
    return (
      <Button variant="contained" color="primary" startIcon={<UploadRounded />} onClick={onUpload}>
        {t('upload')}
      </Button>
    );
  }
  return (
    <>
      <Button
        variant="contained"
        color="primary"
        endIcon={<ArrowDropDownRounded />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t('upload')}
      </Button>
      <Menu
        disablePortal
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ list: { 'aria-label': t('upload') } }}
      >
        <MenuItem onClick={closeAndRun(onUpload)}>
          <UploadFileRounded />
          {t('uploadFiles')}
        </MenuItem>
        <MenuItem onClick={closeAndRun(onUploadFolder)}>
          <DriveFolderUploadRounded />
          {t('uploadFolder')}
        </MenuItem>
      </Menu>
    </>
  );
}
