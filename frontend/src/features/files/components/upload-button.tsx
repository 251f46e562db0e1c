import ArrowDropDownRounded from '@mui/icons-material/ArrowDropDownRounded';
import DriveFolderUploadRounded from '@mui/icons-material/DriveFolderUploadRounded';
import UploadFileRounded from '@mui/icons-material/UploadFileRounded';
import UploadRounded from '@mui/icons-material/UploadRounded';
import Button from '@mui/material/Button';
import ButtonGroup from '@mui/material/ButtonGroup';
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

/** Opens the file dialog; its menu offers folders too. */
export function UploadButton({ onUpload, onUploadFolder }: Props) {
  const { t } = useTranslation('files');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const closeAndRun = (action: () => void) => () => {
    close();
    action();
  };
  if (!onUpload) return null;
  const button = (
    <Button variant="contained" color="primary" startIcon={<UploadRounded />} onClick={onUpload}>
      {t('upload')}
    </Button>
  );
  if (!onUploadFolder) return button;
  return (
    <>
      <ButtonGroup variant="contained" color="primary">
        {button}
        <Button
          size="small"
          aria-label={t('uploadMenu')}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget.parentElement)}
          sx={{ px: 1, minWidth: 36 }}
        >
          <ArrowDropDownRounded />
        </Button>
      </ButtonGroup>
      <Menu
        disablePortal
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ list: { 'aria-label': t('uploadMenu') } }}
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
