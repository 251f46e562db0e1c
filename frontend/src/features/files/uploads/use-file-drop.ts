import { useEffect, useRef, useState } from 'react';

/** The dropped files, and the folders, which can be read later. */
export interface DroppedItems {
  files: File[];
  folders: FileSystemDirectoryEntry[];
}

/**
 * Accepts files and folders dropped anywhere on the page.
 * @returns whether files are being dragged over the page
 */
export function useFileDrop(enabled: boolean, onDrop: (dropped: DroppedItems) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const onDropRef = useRef(onDrop);
  useEffect(() => {
    onDropRef.current = onDrop;
  });
  useEffect(() => {
    if (!enabled) return;
    // `dragenter` and `dragleave` fire for each element; the page has been left only when all elements have been.
    let depth = 0;
    const setDepth = (next: number) => {
      depth = Math.max(0, next);
      setIsOver(depth > 0);
    };
    const listen = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', handler: (event: DragEvent) => void) => {
      const listener = (event: DragEvent) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        handler(event);
      };
      addEventListener(name, listener);
      return () => removeEventListener(name, listener);
    };
    const unsubscribers = [
      listen('dragenter', () => setDepth(depth + 1)),
      listen('dragleave', () => setDepth(depth - 1)),
      listen('dragover', ({ dataTransfer }) => {
        if (dataTransfer) dataTransfer.dropEffect = 'copy';
      }),
      listen('drop', ({ dataTransfer }) => {
        setDepth(0);
        if (dataTransfer) onDropRef.current(readDataTransfer(dataTransfer));
      }),
    ];
    return () => {
      unsubscribers.forEach((unsubscribe) => unsubscribe());
      setIsOver(false);
    };
  }, [enabled]);
  return isOver;
}

/**
 * A dropped folder looks like an empty file with its name; only its entry reveals it. Entries are available during the
 * event only.
 */
function readDataTransfer({ items, files }: DataTransfer): DroppedItems {
  const fileItems = [...items].filter(({ kind }) => kind === 'file');
  if (fileItems.length === 0) return { files: [...files], folders: [] };
  const dropped: DroppedItems = { files: [], folders: [] };
  for (const item of fileItems) {
    const entry = item.webkitGetAsEntry?.() ?? null;
    const file = item.getAsFile();
    if (entry?.isDirectory) dropped.folders.push(entry as FileSystemDirectoryEntry);
    else if (file) dropped.files.push(file);
  }
  return dropped;
}
