import { accountHeader } from '../account/account-header';
import { ApiError, NETWORK_ERROR, toApiError } from './api-error';

export interface UploadRequest {
  /** Path on this origin, with its query string. */
  url: string;
  /** Name of the form field that holds the file. */
  field: string;
  file: File;
  /** Called with the fraction of the file that was sent, from 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}

/**
 * Uploads one file as a form and returns the response. Unlike `fetch`, it reports upload progress.
 * @throws ApiError for error responses
 * @throws AbortError when aborted
 */
export function uploadFile<T>({ url, field, file, onProgress, signal }: UploadRequest): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const rejectAborted = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    if (signal?.aborted) return rejectAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal?.addEventListener('abort', abort);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onabort = rejectAborted;
    request.onerror = () => reject(new ApiError(0, NETWORK_ERROR, ''));
    request.onload = () => handleResponse(request, file.size, resolve, reject);
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    request.open('POST', url);
    if (document.documentElement.lang) request.setRequestHeader('Accept-Language', document.documentElement.lang);
    for (const [name, value] of Object.entries(accountHeader.getHeaders())) request.setRequestHeader(name, value);
    const form = new FormData();
    form.append(field, file, file.name);
    request.send(form);
  });
}

function handleResponse<T>(
  request: XMLHttpRequest,
  sentBytes: number,
  resolve: (value: T) => void,
  reject: (reason: unknown) => void,
): void {
  const { status, responseText } = request;
  if (status < 200 || status > 299) {
    return reject(toApiError(status, responseText, request.getResponseHeader('x-request-id'), null, sentBytes));
  }
  try {
    resolve(JSON.parse(responseText) as T);
  } catch {
    reject(new ApiError(status, 'UNREADABLE', ''));
  }
}
