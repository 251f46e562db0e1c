import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { useCreateFolder, useDelete, useRename } from '../api/use-file-changes';
import { entryName, extensionOf, type Entry } from '../entries';
import { NameDialog } from './name-dialog';

export type OpenDialog =
  { kind: 'folder' } | { kind: 'rename'; entry: Entry } | { kind: 'delete'; entries: readonly Entry[] };

interface Props {
  zoneId: number;
  folderId: number | null;
  open: OpenDialog | null;
  onClose: () => void;
}

/** The dialogs of the list: new folder, rename, delete. */
export function EntryDialogs({ zoneId, folderId, open, onClose }: Props) {
  return (
    <>
      <FolderDialog zoneId={zoneId} folderId={folderId} open={open?.kind === 'folder'} onClose={onClose} />
      <RenameDialog entry={open?.kind === 'rename' ? open.entry : null} onClose={onClose} />
      <DeleteDialog entries={open?.kind === 'delete' ? open.entries : []} onClose={onClose} />
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
  const extension = kind === 'file' ? extensionOf(name) : '';
  const onSubmit = async (next: string) => {
    if (!entry) return;
    await rename.mutateAsync({ entry, name: next });
    toast.success(t(`renameForm.${kind}Done`));
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

function DeleteDialog({ entries, onClose }: { entries: readonly Entry[]; onClose: () => void }) {
  const { t } = useTranslation('files');
  const errorText = useErrorText();
  const format = useFormat();
  const remove = useDelete();
  const [entry] = entries;
  const count = entries.length;
  const kind = count > 1 ? 'several' : (entry?.kind ?? 'file');
  const numbers = { count, formatted: format.number(count) };
  const onConfirm = () => {
    remove.mutate(entries, {
      onSuccess: () => toast.success(t(`deleteForm.${kind}Done`, numbers)),
      onError: (error) => toast.error(t(`deleteForm.${kind}Failed`), errorText(error)),
      onSettled: onClose,
    });
  };
  return (
    <ConfirmDialog
      open={count > 0}
      title={t(`deleteForm.${kind}Title`, { ...numbers, name: entry ? entryName(entry) : '' })}
      confirmLabel={t('deleteForm.submit')}
      busy={remove.isPending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {t(`deleteForm.${kind}Text`)}
    </ConfirmDialog>
  );
}
