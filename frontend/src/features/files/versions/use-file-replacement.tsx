import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { extensionOf, type StoredFile } from '../entries';
import { useUploadQueue } from '../uploads/sending/page-uploads';

/**
 * Lets people choose a file that replaces another one; it is uploaded like any other.
 * @returns a function that opens the file dialog, and the input for it
 */
export function useFileReplacement(zoneId: number, maxFileBytes: number | null | undefined) {
  const { t } = useTranslation('files');
  const uploadQueue = useUploadQueue();
  const inputRef = useRef<HTMLInputElement>(null);
  const [replaced, setReplaced] = useState<StoredFile | null>(null);
  const replaceFile = useCallback((file: StoredFile) => {
    setReplaced(file);
    const input = inputRef.current;
    if (!input) return;
    // The dialog opens before the next rendering.
    input.accept = extensionOf(file.originalName);
    input.click();
  }, []);
  const upload = (file: File | undefined) => {
    if (!file || !replaced) return;
    const { id, version, folderId, originalName: name } = replaced;
    uploadQueue.addGroup([
      { file, target: { zoneId, folderId }, isTaken: false, replaces: { id, version, name }, maxFileBytes },
    ]);
  };
  const input = (
    <input
      ref={inputRef}
      type="file"
      hidden
      aria-label={t('versions.chooseReplacement')}
      onChange={({ target }) => {
        upload(target.files?.[0]);
        // Lets the same file be chosen again.
        target.value = '';
      }}
    />
  );
  return { replaceFile, input };
}
