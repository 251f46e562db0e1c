import CloseRounded from '@mui/icons-material/CloseRounded';
import FileOpenRounded from '@mui/icons-material/FileOpenRounded';
import PauseRounded from '@mui/icons-material/PauseRounded';
import PlayArrowRounded from '@mui/icons-material/PlayArrowRounded';
import ReplayRounded from '@mui/icons-material/ReplayRounded';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../shared/toast/toast-store';
import { isPausable, isRetryable, type UploadItem } from './sending/upload-item';
import type { Drop } from './upload-drops';
import { useUploads } from './sending/uploads';

/** What can be done with one upload, as it stands. */
export function UploadControls({ item }: { item: UploadItem }) {
  const { t } = useTranslation('files');
  const uploads = useUploads();
  const { id, state } = item;
  const { name } = item.file;
  const forgets = { error: 'uploads.remove', interrupted: 'uploads.discard' } as const;
  return (
    <>
      {isRetryable(item) && (
        <Control title={t('uploads.retry', { name })} onClick={() => uploads.retry(id)}>
          <ReplayRounded />
        </Control>
      )}
      {state === 'interrupted' && <ChooseAgain item={item} />}
      {isPausable(item) && (
        <Control title={t('uploads.pause', { name })} onClick={() => uploads.pause(id)}>
          <PauseRounded />
        </Control>
      )}
      {state === 'paused' && (
        <Control title={t('uploads.resume', { name })} onClick={() => uploads.resume(id)}>
          <PlayArrowRounded />
        </Control>
      )}
      {state !== 'completed' && (
        <Control
          title={t(state in forgets ? forgets[state as keyof typeof forgets] : 'uploads.cancel', { name })}
          onClick={() => uploads.cancel(id)}
        >
          <CloseRounded />
        </Control>
      )}
    </>
  );
}

/** What can be done with all files of a drop together. */
export function DropControls({ drop: { items, totals }, name }: { drop: Drop; name: string }) {
  const { t } = useTranslation('files');
  const uploads = useUploads();
  const ids = items.map(({ id }) => id);
  const isOver = totals.completed + totals.failed === items.length;
  return (
    <>
      {items.some(isRetryable) && (
        <Control title={t('uploads.retry', { name })} onClick={() => uploads.retry(ids)}>
          <ReplayRounded />
        </Control>
      )}
      {items.some(isPausable) && (
        <Control title={t('uploads.pause', { name })} onClick={() => uploads.pause(ids)}>
          <PauseRounded />
        </Control>
      )}
      {totals.paused > 0 && (
        <Control title={t('uploads.resume', { name })} onClick={() => uploads.resume(ids)}>
          <PlayArrowRounded />
        </Control>
      )}
      {totals.completed < items.length && (
        <Control
          title={t(isOver ? 'uploads.remove' : 'uploads.cancel', { name })}
          onClick={() => uploads.cancel(items.filter(({ state }) => state !== 'completed').map(({ id }) => id))}
        >
          <CloseRounded />
        </Control>
      )}
    </>
  );
}

function Control({ title, onClick, children }: { title: string; onClick: () => void; children: ReactNode }) {
  return (
    <Tooltip title={title}>
      <IconButton aria-label={title} onClick={onClick} size="small">
        {children}
      </IconButton>
    </Tooltip>
  );
}

/** No browser gives a page its files back after a reload: they must be chosen once more. */
function ChooseAgain({ item }: { item: UploadItem }) {
  const { t } = useTranslation('files');
  const uploads = useUploads();
  const input = useRef<HTMLInputElement>(null);
  const title = t('uploads.chooseAgain', { name: item.file.name });
  return (
    <>
      <Control title={title} onClick={() => input.current?.click()}>
        <FileOpenRounded />
      </Control>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={title}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file && !uploads.choose(item.id, file)) {
            toast.error(t('uploads.anotherFile'), t('uploads.anotherFileText', { name: item.file.name }));
          }
          target.value = '';
        }}
      />
    </>
  );
}
