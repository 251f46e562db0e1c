import { useTranslation } from 'react-i18next';
import { toast } from '../../../shared/toast/toast-store';
import { useCreateFolder, useRenameEntry } from '../api/use-file-mutations';
import { FilePermissionsDialog } from '../downloads/file-permissions-dialog';
import { entryName, preservedExtensionOf, type Entry, type Folder, type StoredFile } from '../entries';
import { OpeningsDrawer } from '../openings/openings-drawer';
import { ReadingDrawer } from '../reading/reading-drawer';
import { FileRequestDialog } from '../requests/file-request-dialog';
import { VersionsDrawer } from '../versions/versions-drawer';
import { NameDialog } from './name-dialog';

export type EntryDialogState =
  | { kind: 'folder' }
  | { kind: 'rename'; entry: Entry }
  | { kind: 'request'; folder: Folder }
  | { kind: 'openings' | 'permissions' | 'reading' | 'versions'; file: StoredFile };

interface Props {
  zoneId: number;
  folderId: number | null;
  dialog: EntryDialogState | null;
  onReplace: (file: StoredFile) => void;
  onClose: () => void;
}

/** The dialogs of the list: new folder, rename, file request, permissions of members, openings, reading, versions. */
export function EntryDialogs({ zoneId, folderId, dialog, onReplace, onClose }: Props) {
  return (
    <>
      <CreateFolderDialog zoneId={zoneId} folderId={folderId} open={dialog?.kind === 'folder'} onClose={onClose} />
      <RenameDialog entry={dialog?.kind === 'rename' ? dialog.entry : null} onClose={onClose} />
      <FileRequestDialog folder={dialog?.kind === 'request' ? dialog.folder : null} onClose={onClose} />
      <FilePermissionsDialog file={dialog?.kind === 'permissions' ? dialog.file : null} onClose={onClose} />
      <OpeningsDrawer file={dialog?.kind === 'openings' ? dialog.file : null} onClose={onClose} />
      <ReadingDrawer file={dialog?.kind === 'reading' ? dialog.file : null} onClose={onClose} />
      <VersionsDrawer file={dialog?.kind === 'versions' ? dialog.file : null} onReplace={onReplace} onClose={onClose} />
    </>
  );
}

function CreateFolderDialog({
  zoneId,
  folderId,
  open,
  onClose,
}: Omit<Props, 'dialog' | 'onReplace'> & { open: boolean }) {
  const { t } = useTranslation('files');
  const create = useCreateFolder(zoneId, folderId);
  return (
    <NameDialog
      open={open}
      title={t('folderForm.title')}
      label={t('folderForm.name')}
      name=""
      submitLabel={t('folderForm.submit')}
      failureTitle={t('folderForm.failed')}
      onSubmit={create.mutateAsync}
      onClose={onClose}
    />
  );
}

function RenameDialog({ entry, onClose }: { entry: Entry | null; onClose: () => void }) {
  const { t } = useTranslation('files');
  const rename = useRenameEntry();
  const kind = entry?.kind ?? 'file';
  const name = entry ? entryName(entry) : '';
  const extension = kind === 'file' ? preservedExtensionOf(name) : '';
  const onSubmit = async (newName: string) => {
    if (!entry) return;
    const savedName = await rename.mutateAsync({ entry, name: newName });
    const hasAddedExtension = kind === 'file' && savedName !== newName && savedName.startsWith(newName);
    toast.success(
      t(`renameForm.${kind}Done`),
      hasAddedExtension
        ? t('renameForm.extended', { name: savedName, extension: savedName.slice(newName.length) })
        : undefined,
    );
  };
  return (
    <NameDialog
      open={entry !== null}
      title={t(`renameForm.${kind}`)}
      label={t('renameForm.name')}
      help={extension && t('renameForm.extension', { extension })}
      name={name}
      selectionLength={name.length - extension.length}
      submitLabel={t('renameForm.submit')}
      failureTitle={t(`renameForm.${kind}Failed`)}
      onSubmit={onSubmit}
      onClose={onClose}
    />
  );
}
