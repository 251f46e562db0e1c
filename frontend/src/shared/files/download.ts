import { createUuid } from '../format/uuid';
import { toApiError, type ApiError } from '../api/api-error';

type OnDownloadError = (error: ApiError) => void;

/**
 * In milliseconds. Removing the frame before the response starts would cancel the download; the slowest starts within
 * this time.
 */
const FRAME_LIFETIME = 10 * 60_000;

/** Downloads a URL. The browser streams the response to disk; errors are reported instead of saved as the file. */
export function startDownload(url: string, onError: OnDownloadError): void {
  // `src` is set before the frame is attached, because `load` would also fire for the empty frame.
  const frame = createDownloadFrame(onError);
  frame.src = url;
  document.body.append(frame);
}

/** Downloads the response to a form submission. */
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

/** Error responses load in this frame and so don't replace the page. */
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

/** Returns the text of an error response; null while the frame is empty. */
function readErrorText(frame: HTMLIFrameElement): string | null {
  try {
    const document = frame.contentDocument;
    if (document?.URL === 'about:blank') return null;
    return document?.body.textContent ?? '';
  } catch {
    // The browser shows its own error page when the server can't be reached; it is cross-origin.
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
