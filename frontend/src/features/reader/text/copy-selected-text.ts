import type { ClipboardEvent } from 'react';
import { normaliseCopiedText } from './page-words';

/** Gives what is selected of pages as a text: lines as lines, and words that a line's end parts whole. */
export function copySelectedText(event: ClipboardEvent): void {
  const selected = getSelection()?.toString() ?? '';
  if (selected.trim() === '') return;
  event.clipboardData.setData('text/plain', normaliseCopiedText(selected));
  event.preventDefault();
}
