import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Schema } from '../../shared/api/client';
import { invalidate } from '../../shared/api/invalidate';
import { uploadFile } from '../../shared/api/upload';

/** A file that is being sent, waits for its turn or has failed. */
export interface Sending {
  readonly key: number;
  readonly file: File;
  /** From 0 to 1. */
  readonly progress: number;
  /** Why it wasn't stored; undefined until then. */
  readonly error: unknown;
}

let lastKey = 0;

/** Sends files by a link, one after the other. Each is stored or not, whatever happens to the others. */
export function useSending(token: string) {
  const queryClient = useQueryClient();
  const [items, setItems] = useState<readonly Sending[]>([]);
  /** For screen readers. */
  const [sentName, setSentName] = useState<string | null>(null);
  const current = items.find(({ error }) => error === undefined);
  const change = (key: number, changes: Partial<Sending>) =>
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...changes } : item)));
  const remove = (key: number) => setItems((all) => all.filter((item) => item.key !== key));

  const currentKey = current?.key;
  useEffect(() => {
    if (currentKey === undefined) return;
    const { file } = items.find(({ key }) => key === currentKey)!;
    const controller = new AbortController();
    const { signal } = controller;
    uploadFile<Schema<'SharedFileDto'>[]>({
      ...{ url: `/api/shared/${token}/files`, field: 'files', file, signal },
      onProgress: (progress) => change(currentKey, { progress }),
    })
      .then(
        () => {
          if (signal.aborted) return;
          remove(currentKey);
          setSentName(file.name);
        },
        (error: unknown) => {
          if (!signal.aborted) change(currentKey, { error });
        },
      )
      // After an error or a cancellation too: it may have been stored all the same, or the link may be closed.
      .finally(() => void invalidate(queryClient, 'POST /api/shared/{token}/files'));
    return () => controller.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- starts once for each file
  }, [currentKey]);

  const isSending = current !== undefined;
  useEffect(() => {
    if (!isSending) return;
    const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', askBeforeLeaving);
    return () => removeEventListener('beforeunload', askBeforeLeaving);
  }, [isSending]);

  return {
    items,
    sentName,
    addFiles: (files: readonly File[]) => {
      setSentName(null);
      setItems((all) => [...all, ...files.map((file) => ({ key: ++lastKey, file, progress: 0, error: undefined }))]);
    },
    retry: (key: number) =>
      setItems((all) =>
        all.map((item) => (item.key === key ? { ...item, key: ++lastKey, progress: 0, error: undefined } : item)),
      ),
    remove,
  };
}
