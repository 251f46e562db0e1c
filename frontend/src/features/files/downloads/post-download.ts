import { toApiError, type ApiError } from '../../../shared/api/api-error';

const FRAME = 'zip-download';

/**
 * Sends a form whose answer the browser writes to its disk while it comes in; a script could only keep it in memory.
 * @param onRefused told when an error came instead
 */
export function postDownload(address: string, fields: Record<string, string>, onRefused: (error: ApiError) => void) {
  document.getElementById(FRAME)?.remove();
  // A refusal is shown in this frame, and so does not take the place of the page.
  const frame = document.createElement('iframe');
  Object.assign(frame, { id: FRAME, name: FRAME, hidden: true });
  document.body.append(frame);
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: address, target: FRAME, hidden: true });
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value });
    form.append(input);
  }
  document.body.append(form);
  frame.addEventListener('load', () => {
    const answer = answerIn(frame);
    if (answer === null) return;
    const { statusCode } = safeParse(answer);
    onRefused(toApiError(typeof statusCode === 'number' ? statusCode : 0, answer));
    frame.remove();
  });
  form.submit();
  form.remove();
}

/** The text of a refusal; null while the frame is empty. */
function answerIn(frame: HTMLIFrameElement): string | null {
  try {
    const document = frame.contentDocument;
    if (document?.URL === 'about:blank') return null;
    return document?.body.textContent ?? '';
  } catch {
    // The browser's own page for a server that it does not reach.
    return '';
  }
}

function safeParse(text: string): { statusCode?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as { statusCode?: unknown };
  } catch {
    return {};
  }
}
