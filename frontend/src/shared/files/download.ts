import { createUuid } from '../format/uuid';
import { toApiError, type ApiError } from '../api/api-error';

type OnDownloadError = (error: ApiError) => void;

/** The slowest answer has begun by then; before, taking the frame away would end it. */
const FRAME_LIFETIME = 10 * 60_000;

/**
 * Downloads what an address answers. The browser writes it to its disk while it comes in; a refusal is told in the place
 * of being saved under the name of the file.
 */
export function startDownload(url: string, onError: OnDownloadError): void {
  // `load` would come for the empty frame as well, were the address not there from the beginning.
  const frame = createDownloadFrame(onError);
  frame.src = url;
  document.body.append(frame);
}

/** The same for what is asked for by a form. */
export function submitDownload(url: string, fields: Record<string, string>, onError: OnDownloadError): void {
  const frame = createDownloadFrame(onError);
  document.body.append(frame);
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: url, target: frame.name, hidden: true });
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

/** A refusal is shown in this frame, and so does not take the place of the page. */
function createDownloadFrame(onError: OnDownloadError): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  Object.assign(frame, { name: `download-${createUuid()}`, hidden: true });
  const removalTimer = setTimeout(() => frame.remove(), FRAME_LIFETIME);
  frame.addEventListener('load', () => {
    const errorText = readErrorText(frame);
    if (errorText === null) return;
    const { statusCode } = parseErrorBody(errorText);
    onError(toApiError(typeof statusCode === 'number' ? statusCode : 0, errorText));
    clearTimeout(removalTimer);
    frame.remove();
  });
  return frame;
}

/** The text of a refusal; null while the frame is empty. */
function readErrorText(frame: HTMLIFrameElement): string | null {
  try {
    const document = frame.contentDocument;
    if (document?.URL === 'about:blank') return null;
    return document?.body.textContent ?? '';
  } catch {
    // The browser's own page for a server that it does not reach.
    return '';
  }
}

function parseErrorBody(text: string): { statusCode?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { statusCode?: unknown };
  } catch {
    return {};
  }
}
