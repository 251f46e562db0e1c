import type { ClipboardEvent } from 'react';
import { normaliseCopiedText } from './page-words';

/** Copies the selected page text: keeps the lines, and joins words hyphenated at line ends. */
export function copySelectedText(event: ClipboardEvent): void {
  const selected = getSelection()?.toString() ?? '';
  if (selected.trim() === '') return;
  event.clipboardData.setData('text/plain', normaliseCopiedText(selected));
  event.preventDefault();
}
