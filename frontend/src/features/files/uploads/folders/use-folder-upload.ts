import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../../shared/api/api-error';
import { useCurrentUser } from '../../../../shared/api/current-user';
import { invalidate } from '../../../../shared/api/invalidate';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { useFormat } from '../../../../shared/hooks/use-format';
import { toast } from '../../../../shared/toast/toast-store';
import { getUploadQueue, rememberFolderUpload } from '../sending/page-uploads';
import type { UploadTarget } from '../sending/upload-item';
import { MAX_ENTRIES, TooManyEntriesError, type PickedFolder } from './picked-folders';
import { uploadFolders, type ChangedName, type FolderUploadResult } from './upload-folders';

/** Names of the message about changed names; more are only counted. */
const MAX_SHOWN_NAMES = 3;

/** May throw a `TooManyEntriesError`, or a `DOMException` for something unreadable. */
type ReadFolders = () => readonly PickedFolder[] | Promise<readonly PickedFolder[]>;

interface FolderUploadOptions {
  /** Maximum size of a file, if known. */
  readonly maxFileBytes?: number | null | undefined;
  /** Continues an interrupted upload. */
  readonly continues?: boolean;
}

/**
 * Uploads folders and tells what became of them.
 * @returns a function that resolves to whether the upload has started, and whether folders are being read and created
 */
export function useFolderUpload() {
  const { t } = useTranslation('files');
  const format = useFormat();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const userId = useCurrentUser().data?.id ?? 0;
  const [runningCount, setRunningCount] = useState(0);

  const failureText = useCallback(
    (error: unknown): string => {
      if (error instanceof TooManyEntriesError)
        return t('folderUpload.tooMany', { formatted: format.number(MAX_ENTRIES) });
      if (error instanceof DOMException) return t('folderUpload.unreadable');
      const [tooDeepPath] = hasCode(error, 'FOLDER_TOO_DEEP') ? ((error.body.names ?? []) as string[]) : [];
      return tooDeepPath ? `${errorText(error)} (${tooDeepPath})` : errorText(error);
    },
    [errorText, format, t],
  );

  const showResult = useCallback(
    ({ changedNames, fileCount, uploadedCount }: FolderUploadResult) => {
      const countOptions = (count: number) => ({ count, formatted: format.number(count) });
      if (changedNames.length > 0) {
        toast.show({
          title: t('folderUpload.namesChanged', countOptions(changedNames.length)),
          message: changedNames.slice(0, MAX_SHOWN_NAMES).map(toText).join(' · '),
        });
      } else if (uploadedCount > 0) {
        toast.show({ title: t('folderUpload.alreadyUploaded', countOptions(uploadedCount)) });
      } else if (fileCount === 0) {
        toast.success(t('folderUpload.created'));
      }
    },
    [format, t],
  );

  const upload = useCallback(
    async (
      target: UploadTarget,
      read: ReadFolders,
      { maxFileBytes = null, continues = false }: FolderUploadOptions = {},
    ): Promise<boolean> => {
      setRunningCount((count) => count + 1);
      try {
        const onStarted = (id: string, { name, files }: PickedFolder) => {
          const size = files.reduce((sum, { file }) => sum + file.size, 0);
          rememberFolderUpload(queryClient, { id, userId, target, name, size });
        };
        const options = { maxFileBytes, continues, onStarted };
        showResult(await uploadFolders(getUploadQueue(queryClient), target, await read(), options));
        return true;
      } catch (error) {
        toast.error(t('folderUpload.failed'), failureText(error));
        return false;
      } finally {
        setRunningCount((count) => count - 1);
        await invalidate(queryClient, 'POST /api/zones/{id}/folders/tree');
      }
    },
    [queryClient, userId, showResult, failureText, t],
  );
  return { upload, isPreparing: runningCount > 0 };
}

const toText = ({ before, after }: ChangedName) => `${before} → ${after}`;
