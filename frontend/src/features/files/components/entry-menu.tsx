import CheckBoxRounded from '@mui/icons-material/CheckBoxRounded';
import DeleteRounded from '@mui/icons-material/DeleteRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import FileDownloadOffRounded from '@mui/icons-material/FileDownloadOffRounded';
import DriveFileMoveRounded from '@mui/icons-material/DriveFileMoveRounded';
import DriveFileRenameOutlineRounded from '@mui/icons-material/DriveFileRenameOutlineRounded';
import DriveFolderUploadRounded from '@mui/icons-material/DriveFolderUploadRounded';
import FolderOpenRounded from '@mui/icons-material/FolderOpenRounded';
import LockRounded from '@mui/icons-material/LockRounded';
import PeopleRounded from '@mui/icons-material/PeopleRounded';
import VisibilityRounded from '@mui/icons-material/VisibilityRounded';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { abilitiesOf, addressOfPlace, entryName, isReadOnly, type Entry } from '../entries';
import { downloadAddress } from '../../../shared/files/preview-kind';
import { canRetry } from '../failed/failure';
import { RetryItem } from '../failed/retry-item';
import type { EntryActions } from './entry-actions';

export interface OpenMenu {
  entry: Entry;
  anchor: HTMLElement;
}

/** The one menu of the list, at the folder or file for which it was opened. */
export function EntryMenu({
  open,
  actions,
  onClose,
}: {
  open: OpenMenu | null;
  actions: EntryActions;
  onClose: () => void;
}) {
  const { t } = useTranslation('files');
  return (
    <Menu
      disablePortal
      anchorEl={open?.anchor}
      open={open !== null}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ list: { 'aria-label': open ? t('menu', { name: entryName(open.entry) }) : undefined } }}
    >
      {open && itemsOf(open.entry, actions, onClose, t)}
    </Menu>
  );
}

type Translate = ReturnType<typeof useTranslation<'files'>>['t'];

// The menu moves the focus among its direct children, so this is a list and not a component.
function itemsOf(entry: Entry, actions: EntryActions, onClose: () => void, t: Translate) {
  const can = abilitiesOf(entry);
  const then = (action: () => void) => () => {
    onClose();
    action();
  };
  return [
    isReadOnly(entry) && (
      <MenuItem key="mirror" disabled sx={{ '&.Mui-disabled': { opacity: 1, color: 'text.secondary' } }}>
        <LockRounded />
        {t('mirror.readOnly')}
      </MenuItem>
    ),
    entry.kind === 'folder' ? (
      <MenuItem key="open" component={Link} to={actions.addressOf(entry.folder)} onClick={onClose}>
        <FolderOpenRounded />
        {t('actions.open')}
      </MenuItem>
    ) : (
      <MenuItem key="preview" onClick={then(() => actions.preview(entry.file))}>
        <VisibilityRounded />
        {t('actions.preview')}
      </MenuItem>
    ),
    entry.path && (
      <MenuItem key="place" component={Link} to={addressOfPlace(entry)} onClick={onClose}>
        <DriveFolderUploadRounded />
        {t('actions.showInFolder')}
      </MenuItem>
    ),
    entry.kind === 'folder' && (
      <MenuItem key="download" onClick={then(() => actions.download([entry]))}>
        <DownloadRounded />
        {t('actions.download')}
      </MenuItem>
    ),
    entry.kind === 'file' && entry.file.can.download && (
      <MenuItem key="download" component="a" href={downloadAddress(entry.file)} download onClick={onClose}>
        <DownloadRounded />
        {t('actions.download')}
      </MenuItem>
    ),
    actions.select && (
      <MenuItem key="select" onClick={then(() => actions.select?.(entry))}>
        <CheckBoxRounded />
        {t('actions.select')}
      </MenuItem>
    ),
    entry.kind === 'file' && canRetry(entry) && <RetryItem key="retry" fileId={entry.file.id} onClose={onClose} />,
    can.rename && (
      <MenuItem key="rename" onClick={then(() => actions.rename(entry))}>
        <DriveFileRenameOutlineRounded />
        {t('actions.rename')}
      </MenuItem>
    ),
    can.move && (
      <MenuItem key="move" onClick={then(() => actions.move(entry))}>
        <DriveFileMoveRounded />
        {t('actions.move')}
      </MenuItem>
    ),
    entry.kind === 'file' && entry.file.can.allowDownload && (
      <MenuItem key="rights" onClick={then(() => actions.setRights(entry.file))}>
        <FileDownloadOffRounded />
        {t('actions.rights')}
      </MenuItem>
    ),
    entry.kind === 'file' && entry.file.can.seeOpenings && (
      <MenuItem key="openings" onClick={then(() => actions.showOpenings(entry.file))}>
        <PeopleRounded />
        {t('actions.openings')}
      </MenuItem>
    ),
    can.delete && (
      <MenuItem key="delete" onClick={then(() => actions.remove(entry))} sx={{ color: 'error.main' }}>
        <DeleteRounded />
        {t('actions.delete')}
      </MenuItem>
    ),
  ];
}
