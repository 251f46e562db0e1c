import AutoStoriesRounded from '@mui/icons-material/AutoStoriesRounded';
import CheckBoxRounded from '@mui/icons-material/CheckBoxRounded';
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import DeleteRounded from '@mui/icons-material/DeleteRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import FileCopyRounded from '@mui/icons-material/FileCopyRounded';
import FileDownloadOffRounded from '@mui/icons-material/FileDownloadOffRounded';
import DriveFileMoveRounded from '@mui/icons-material/DriveFileMoveRounded';
import DriveFileRenameOutlineRounded from '@mui/icons-material/DriveFileRenameOutlineRounded';
import DriveFolderUploadRounded from '@mui/icons-material/DriveFolderUploadRounded';
import FolderOpenRounded from '@mui/icons-material/FolderOpenRounded';
import HistoryRounded from '@mui/icons-material/HistoryRounded';
import LinkRounded from '@mui/icons-material/LinkRounded';
import LockRounded from '@mui/icons-material/LockRounded';
import MoveToInboxRounded from '@mui/icons-material/MoveToInboxRounded';
import PeopleRounded from '@mui/icons-material/PeopleRounded';
import UploadFileRounded from '@mui/icons-material/UploadFileRounded';
import VisibilityRounded from '@mui/icons-material/VisibilityRounded';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { isValidElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { abilitiesOf, containingFolderUrl, entryName, isReadOnly, type Entry, type StoredFile } from '../entries';
import { downloadUrl } from '../../../shared/files/preview-kind';
import { canRetryRendering } from '../rendering-failures/rendering-failure';
import { RetryRenderingItem } from '../rendering-failures/retry-rendering-item';
import type { EntryActions, MenuAnchor } from './entry-actions';

export interface EntryMenuState {
  entry: Entry;
  anchor: MenuAnchor;
}

/** The list's single menu, beside the button of the folder or file it was opened for, or where it was right-clicked. */
export function EntryMenu({
  menu,
  actions,
  onClose,
}: {
  menu: EntryMenuState | null;
  actions: EntryActions;
  onClose: () => void;
}) {
  const { t } = useTranslation('files');
  const anchor = menu?.anchor;
  const isAtElement = anchor instanceof HTMLElement;
  return (
    <Menu
      disablePortal
      anchorReference={isAtElement ? 'anchorEl' : 'anchorPosition'}
      anchorEl={isAtElement ? anchor : undefined}
      anchorPosition={isAtElement ? undefined : anchor}
      open={menu !== null}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: isAtElement ? 'right' : 'left' }}
      // The browser's own menu would cover this one.
      onContextMenu={(event) => {
        event.preventDefault();
        if (!(event.target as Element).closest('[role=menu]')) onClose();
      }}
      slotProps={{ list: { 'aria-label': menu ? t('menu', { name: entryName(menu.entry) }) : undefined } }}
    >
      {menu && createMenuItems(menu.entry, actions, onClose, t)}
    </Menu>
  );
}

type Translate = ReturnType<typeof useTranslation<'files'>>['t'];

// MUI's menu moves focus among its direct children, so this returns an array instead of being a component.
function createMenuItems(entry: Entry, actions: EntryActions, onClose: () => void, t: Translate) {
  const can = abilitiesOf(entry);
  const closeAndRun = (action: () => void) => () => {
    onClose();
    action();
  };
  const groups = [
    [
      isReadOnly(entry) && (
        <MenuItem key="mirror" disabled sx={{ '&.Mui-disabled': { opacity: 1, color: 'text.secondary' } }}>
          <LockRounded />
          {t('mirror.readOnly')}
        </MenuItem>
      ),
      entry.kind === 'folder' ? (
        <MenuItem key="open" component={Link} to={actions.folderUrl(entry.folder)} onClick={onClose}>
          <FolderOpenRounded />
          {t('actions.open')}
        </MenuItem>
      ) : (
        <MenuItem key="preview" onClick={closeAndRun(() => actions.preview(entry.file))}>
          <VisibilityRounded />
          {t('actions.preview')}
        </MenuItem>
      ),
      entry.path && (
        <MenuItem key="place" component={Link} to={containingFolderUrl(entry)} onClick={onClose}>
          <DriveFolderUploadRounded />
          {t('actions.showInFolder')}
        </MenuItem>
      ),
      entry.kind === 'folder' && (
        <MenuItem key="download" onClick={closeAndRun(() => actions.download([entry]))}>
          <DownloadRounded />
          {t('actions.download')}
        </MenuItem>
      ),
      entry.kind === 'file' && entry.file.can.download && (
        <MenuItem key="download" component="a" href={downloadUrl(entry.file)} download onClick={onClose}>
          <DownloadRounded />
          {t('actions.download')}
        </MenuItem>
      ),
      actions.select && (
        <MenuItem key="select" onClick={closeAndRun(() => actions.select?.(entry))}>
          <CheckBoxRounded />
          {t('actions.select')}
        </MenuItem>
      ),
      entry.kind === 'file' && canRetryRendering(entry) && (
        <RetryRenderingItem key="retry" fileId={entry.file.id} onClose={onClose} />
      ),
    ],
    [
      <MenuItem key="link" onClick={closeAndRun(() => actions.copyLink(entry))}>
        <ContentCopyRounded />
        {t('actions.copyLink')}
      </MenuItem>,
      can.share && (
        <MenuItem key="share" onClick={closeAndRun(() => actions.share(entry))}>
          <LinkRounded />
          {t('actions.share')}
        </MenuItem>
      ),
      entry.kind === 'folder' && entry.folder.can.upload && (
        <MenuItem key="request" onClick={closeAndRun(() => actions.requestFiles(entry.folder))}>
          <MoveToInboxRounded />
          {t('actions.request')}
        </MenuItem>
      ),
    ],
    [
      can.rename && (
        <MenuItem key="rename" onClick={closeAndRun(() => actions.rename(entry))}>
          <DriveFileRenameOutlineRounded />
          {t('actions.rename')}
        </MenuItem>
      ),
      can.move && (
        <MenuItem key="move" onClick={closeAndRun(() => actions.move(entry))}>
          <DriveFileMoveRounded />
          {t('actions.move')}
        </MenuItem>
      ),
      can.move && (
        <MenuItem key="copy" onClick={closeAndRun(() => actions.copy(entry))}>
          <FileCopyRounded />
          {t('actions.copy')}
        </MenuItem>
      ),
    ],
    [
      entry.kind === 'file' && entry.file.can.replace && (
        <MenuItem key="replace" onClick={closeAndRun(() => actions.replace(entry.file))}>
          <UploadFileRounded />
          {t('actions.replace')}
        </MenuItem>
      ),
      entry.kind === 'file' && entry.file.can.replace && (
        <MenuItem key="versions" onClick={closeAndRun(() => actions.showVersions(entry.file))}>
          <HistoryRounded />
          {t('actions.versions')}
        </MenuItem>
      ),
      entry.kind === 'file' && entry.file.can.allowDownload && (
        <MenuItem key="rights" onClick={closeAndRun(() => actions.editPermissions(entry.file))}>
          <FileDownloadOffRounded />
          {t('actions.rights')}
        </MenuItem>
      ),
    ],
    [
      entry.kind === 'file' && entry.file.can.seeOpenings && (
        <MenuItem key="openings" onClick={closeAndRun(() => actions.showOpenings(entry.file))}>
          <PeopleRounded />
          {t('actions.openings')}
        </MenuItem>
      ),
      entry.kind === 'file' && entry.file.can.seeOpenings && hasPages(entry.file) && (
        <MenuItem key="reading" onClick={closeAndRun(() => actions.showReading(entry.file))}>
          <AutoStoriesRounded />
          {t('actions.reading')}
        </MenuItem>
      ),
    ],
    [
      can.delete && (
        <MenuItem key="delete" onClick={closeAndRun(() => actions.remove(entry))} sx={{ color: 'error.main' }}>
          <DeleteRounded />
          {t('actions.delete')}
        </MenuItem>
      ),
    ],
  ];
  return separateGroups(groups);
}

/** Puts a line between groups that have items. */
function separateGroups(groups: readonly (readonly ReactNode[])[]): ReactNode[] {
  return groups
    .map((items) => items.filter((item) => isValidElement(item)))
    .filter((items) => items.length > 0)
    .flatMap((items, index) => (index === 0 ? items : [<Divider key={`line-${index}`} component="li" />, ...items]));
}

/** Whether members can read the pages of a file, in documents with a password after entering it. */
const hasPages = ({ document }: StoredFile): boolean => document?.state === 'ready' || document?.failure === 'locked';
