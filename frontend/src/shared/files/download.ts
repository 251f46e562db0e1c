import { uuid } from '../format/uuid';
import { toApiError, type ApiError } from '../api/api-error';

type OnRefused = (error: ApiError) => void;

/** The slowest answer has begun by then; before, taking the frame away would end it. */
const BEGUN_AFTER = 10 * 60_000;

/**
 * Downloads what an address answers. The browser writes it to its disk while it comes in; a refusal is told in the place
 * of being saved under the name of the file.
 */
export function getDownload(address: string, onRefused: OnRefused): void {
  // `load` would come for the empty frame as well, were the address not there from the beginning.
  const frame = frameFor(onRefused);
  frame.src = address;
  document.body.append(frame);
}

/** The same for what is asked for by a form. */
export function postDownload(address: string, fields: Record<string, string>, onRefused: OnRefused): void {
  const frame = frameFor(onRefused);
  document.body.append(frame);
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: address, target: frame.name, hidden: true });
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
function frameFor(onRefused: OnRefused): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  Object.assign(frame, { name: `download-${uuid()}`, hidden: true });
  const forget = setTimeout(() => frame.remove(), BEGUN_AFTER);
  frame.addEventListener('load', () => {
    const answer = answerIn(frame);
    if (answer === null) return;
    const { statusCode } = safeParse(answer);
    onRefused(toApiError(typeof statusCode === 'number' ? statusCode : 0, answer));
    clearTimeout(forget);
    frame.remove();
  });
  return frame;
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
