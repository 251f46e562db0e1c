import { useTranslation } from 'react-i18next';
import { toast } from '../../../shared/toast/toast-store';
import { useCreateFolder, useRename } from '../api/use-file-changes';
import { RightsDialog } from '../downloads/rights-dialog';
import { entryName, keptExtensionOf, type Entry, type StoredFile } from '../entries';
import { OpeningsDrawer } from '../openings/openings-drawer';
import { NameDialog } from './name-dialog';

export type OpenDialog =
  { kind: 'folder' } | { kind: 'rename'; entry: Entry } | { kind: 'openings' | 'rights'; file: StoredFile };

interface Props {
  zoneId: number;
  folderId: number | null;
  open: OpenDialog | null;
  onClose: () => void;
}

/** The dialogs of the list: new folder, rename, what members may do, who opened a file. */
export function EntryDialogs({ zoneId, folderId, open, onClose }: Props) {
  return (
    <>
      <FolderDialog zoneId={zoneId} folderId={folderId} open={open?.kind === 'folder'} onClose={onClose} />
      <RenameDialog entry={open?.kind === 'rename' ? open.entry : null} onClose={onClose} />
      <RightsDialog file={open?.kind === 'rights' ? open.file : null} onClose={onClose} />
      <OpeningsDrawer file={open?.kind === 'openings' ? open.file : null} onClose={onClose} />
    </>
  );
}

function FolderDialog({ zoneId, folderId, open, onClose }: Omit<Props, 'open'> & { open: boolean }) {
  const { t } = useTranslation('files');
  const create = useCreateFolder(zoneId, folderId);
  return (
    <NameDialog
      open={open}
      title={t('folderForm.title')}
      label={t('folderForm.name')}
      name=""
      submitLabel={t('folderForm.submit')}
      failure={t('folderForm.failed')}
      onSubmit={create.mutateAsync}
      onClose={onClose}
    />
  );
}

function RenameDialog({ entry, onClose }: { entry: Entry | null; onClose: () => void }) {
  const { t } = useTranslation('files');
  const rename = useRename();
  const kind = entry?.kind ?? 'file';
  const name = entry ? entryName(entry) : '';
  const extension = kind === 'file' ? keptExtensionOf(name) : '';
  const onSubmit = async (next: string) => {
    if (!entry) return;
    const given = await rename.mutateAsync({ entry, name: next });
    const isExtended = kind === 'file' && given !== next && given.startsWith(next);
    toast.success(
      t(`renameForm.${kind}Done`),
      isExtended ? t('renameForm.extended', { name: given, extension: given.slice(next.length) }) : undefined,
    );
  };
  return (
    <NameDialog
      open={entry !== null}
      title={t(`renameForm.${kind}`)}
      label={t('renameForm.name')}
      help={extension && t('renameForm.extension', { extension })}
      name={name}
      selected={name.length - extension.length}
      submitLabel={t('renameForm.submit')}
      failure={t(`renameForm.${kind}Failed`)}
      onSubmit={onSubmit}
      onClose={onClose}
    />
  );
}
