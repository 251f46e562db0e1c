import { useEffect, useRef, useState } from 'react';

/** The dropped files, and whether there were folders among them, which can't be uploaded. */
export interface DroppedFiles {
  files: File[];
  hasFolders: boolean;
}

/**
 * Accepts files dropped anywhere on the page.
 * @returns whether files are being dragged over the page
 */
export function useFileDrop(enabled: boolean, onDrop: (dropped: DroppedFiles) => void): boolean {
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

/** A dropped folder looks like an empty file with its name; only its entry reveals it. */
function readDataTransfer({ items, files }: DataTransfer): DroppedFiles {
  const entries = [...items].filter(({ kind }) => kind === 'file');
  if (entries.length === 0) return { files: [...files], hasFolders: false };
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry?.()?.isDirectory === true;
  const fileItems = entries.filter((item) => !isFolder(item));
  return { files: fileItems.flatMap((item) => item.getAsFile() ?? []), hasFolders: fileItems.length < entries.length };
}
