import { useEffect, useRef, useState } from 'react';

/** What was dropped: files, and whether there were folders among them, which cannot be taken. */
export interface Dropped {
  files: File[];
  folders: boolean;
}

/**
 * Takes files that are dropped anywhere on the page from the desktop.
 * @returns whether files are being held over the page now
 */
export function useFileDrop(enabled: boolean, onDrop: (dropped: Dropped) => void): boolean {
  const [over, setOver] = useState(false);
  const take = useRef(onDrop);
  useEffect(() => {
    take.current = onDrop;
  });
  useEffect(() => {
    if (!enabled) return;
    // The page's elements are entered and left one by one; only when all are left, the page is.
    let inside = 0;
    const set = (next: number) => {
      inside = Math.max(0, next);
      setOver(inside > 0);
    };
    const listen = (name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', then: (event: DragEvent) => void) => {
      const listener = (event: DragEvent) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        then(event);
      };
      addEventListener(name, listener);
      return () => removeEventListener(name, listener);
    };
    const stop = [
      listen('dragenter', () => set(inside + 1)),
      listen('dragleave', () => set(inside - 1)),
      listen('dragover', ({ dataTransfer }) => {
        if (dataTransfer) dataTransfer.dropEffect = 'copy';
      }),
      listen('drop', ({ dataTransfer }) => {
        set(0);
        if (dataTransfer) take.current(droppedIn(dataTransfer));
      }),
    ];
    return () => {
      stop.forEach((end) => end());
      setOver(false);
    };
  }, [enabled]);
  return over;
}

/** A folder comes as an empty file of its name; only its entry tells. */
function droppedIn({ items, files }: DataTransfer): Dropped {
  const entries = [...items].filter(({ kind }) => kind === 'file');
  if (entries.length === 0) return { files: [...files], folders: false };
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry?.()?.isDirectory === true;
  const taken = entries.filter((item) => !isFolder(item));
  return { files: taken.flatMap((item) => item.getAsFile() ?? []), folders: taken.length < entries.length };
}
