import type { RefObject } from 'react';

interface Props {
  inputRef: RefObject<HTMLInputElement | null>;
  label: string;
  onChoose: (files: readonly File[]) => void;
}

/** Supported by all browsers, but unknown to the types of React. */
const chooseFolders = { webkitdirectory: '' };

/** A hidden input that lets people choose a folder; its files come with `webkitRelativePath`. */
export function FolderInput({ inputRef, label, onChoose }: Props) {
  return (
    <input
      ref={inputRef}
      type="file"
      {...chooseFolders}
      hidden
      aria-label={label}
      onChange={({ target }) => {
        if (target.files && target.files.length > 0) onChoose([...target.files]);
        // Lets the same folder be chosen again.
        target.value = '';
      }}
    />
  );
}
