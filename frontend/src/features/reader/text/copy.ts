import type { ClipboardEvent } from 'react';
import { asCopied } from './page-words';

/** Gives what is selected of pages as a text: lines as lines, and words that a line's end parts whole. */
export function copyText(event: ClipboardEvent): void {
  const selected = getSelection()?.toString() ?? '';
  if (selected.trim() === '') return;
  event.clipboardData.setData('text/plain', asCopied(selected));
  event.preventDefault();
}
