import CloseRounded from '@mui/icons-material/CloseRounded';
import FileOpenRounded from '@mui/icons-material/FileOpenRounded';
import DriveFolderUploadRounded from '@mui/icons-material/DriveFolderUploadRounded';
import PauseRounded from '@mui/icons-material/PauseRounded';
import PlayArrowRounded from '@mui/icons-material/PlayArrowRounded';
import ReplayRounded from '@mui/icons-material/ReplayRounded';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../shared/toast/toast-store';
import { isPausable, isRetryable, type UploadItem } from './sending/upload-item';
import type { UploadGroup } from './upload-groups';
import { FolderInput } from './folders/folder-input';
import { pickedFoldersOf } from './folders/picked-folders';
import { useFolderUpload } from './folders/use-folder-upload';
import { useUploadQueue } from './sending/page-uploads';

/** The actions of one upload, depending on its state. */
export function UploadControls({ item }: { item: UploadItem }) {
  const { t } = useTranslation('files');
  const uploadQueue = useUploadQueue();
  const { id, state } = item;
  const { name } = item.file;
  const cancelLabelKeys = { error: 'uploads.remove', interrupted: 'uploads.discard' } as const;
  return (
    <>
      {isRetryable(item) && (
        <ControlButton title={t('uploads.retry', { name })} onClick={() => uploadQueue.retry(id)}>
          <ReplayRounded />
        </ControlButton>
      )}
      {state === 'interrupted' &&
        (item.isFolder ? <ChooseFolderAgainButton item={item} /> : <ChooseFileAgainButton item={item} />)}
      {isPausable(item) && (
        <ControlButton title={t('uploads.pause', { name })} onClick={() => uploadQueue.pause(id)}>
          <PauseRounded />
        </ControlButton>
      )}
      {state === 'paused' && (
        <ControlButton title={t('uploads.resume', { name })} onClick={() => uploadQueue.resume(id)}>
          <PlayArrowRounded />
        </ControlButton>
      )}
      {state !== 'completed' && (
        <ControlButton
          title={t(
            state in cancelLabelKeys ? cancelLabelKeys[state as keyof typeof cancelLabelKeys] : 'uploads.cancel',
            { name },
          )}
          onClick={() => uploadQueue.cancel(id)}
        >
          <CloseRounded />
        </ControlButton>
      )}
    </>
  );
}

/** The actions for all files of a group. */
export function UploadGroupControls({ group: { items, totals }, name }: { group: UploadGroup; name: string }) {
  const { t } = useTranslation('files');
  const uploadQueue = useUploadQueue();
  const ids = items.map(({ id }) => id);
  const isFinished = totals.completed + totals.failed === items.length;
  return (
    <>
      {items.some(isRetryable) && (
        <ControlButton title={t('uploads.retry', { name })} onClick={() => uploadQueue.retry(ids)}>
          <ReplayRounded />
        </ControlButton>
      )}
      {items.some(isPausable) && (
        <ControlButton title={t('uploads.pause', { name })} onClick={() => uploadQueue.pause(ids)}>
          <PauseRounded />
        </ControlButton>
      )}
      {totals.paused > 0 && (
        <ControlButton title={t('uploads.resume', { name })} onClick={() => uploadQueue.resume(ids)}>
          <PlayArrowRounded />
        </ControlButton>
      )}
      {totals.completed < items.length && (
        <ControlButton
          title={t(isFinished ? 'uploads.remove' : 'uploads.cancel', { name })}
          onClick={() => uploadQueue.cancel(items.filter(({ state }) => state !== 'completed').map(({ id }) => id))}
        >
          <CloseRounded />
        </ControlButton>
      )}
    </>
  );
}

function ControlButton({ title, onClick, children }: { title: string; onClick: () => void; children: ReactNode }) {
  return (
    <Tooltip title={title}>
      <IconButton aria-label={title} onClick={onClick} size="small">
        {children}
      </IconButton>
    </Tooltip>
  );
}

/** After a reload, browsers don't return files to the page: the user must choose them again. */
function ChooseFileAgainButton({ item }: { item: UploadItem }) {
  const { t } = useTranslation('files');
  const uploadQueue = useUploadQueue();
  const inputRef = useRef<HTMLInputElement>(null);
  const title = t('uploads.chooseAgain', { name: item.file.name });
  return (
    <>
      <ControlButton title={title} onClick={() => inputRef.current?.click()}>
        <FileOpenRounded />
      </ControlButton>
      <input
        ref={inputRef}
        type="file"
        hidden
        aria-label={title}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file && !uploadQueue.reattachFile(item.id, file)) {
            toast.error(t('uploads.anotherFile'), t('uploads.anotherFileText', { name: item.file.name }));
          }
          target.value = '';
        }}
      />
    </>
  );
}

/** Files of the folder that are stored already are not sent again. */
function ChooseFolderAgainButton({ item }: { item: UploadItem }) {
  const { t } = useTranslation('files');
  const uploadQueue = useUploadQueue();
  const { upload } = useFolderUpload();
  const inputRef = useRef<HTMLInputElement>(null);
  const { name } = item.file;
  const title = t('uploads.chooseAgain', { name });
  const continueWith = async (files: readonly File[]) => {
    if (files.some(({ webkitRelativePath }) => !webkitRelativePath.startsWith(`${name}/`))) {
      return toast.error(t('folderUpload.anotherFolder'), t('folderUpload.anotherFolderText', { name }));
    }
    if (await upload(item.target, () => pickedFoldersOf(files), { continues: true })) uploadQueue.cancel(item.id);
  };
  return (
    <>
      <ControlButton title={title} onClick={() => inputRef.current?.click()}>
        <DriveFolderUploadRounded />
      </ControlButton>
      <FolderInput inputRef={inputRef} label={title} onChoose={(files) => void continueWith(files)} />
    </>
  );
}
