import { accountHeader } from '../../../shared/account/account-header';
import type { Schema } from '../../../shared/api/client';

/**
 * Posts JSON in a request that outlives the page. `sendBeacon` would too, but can't send the header that prevents saving
 * something for another account of the same browser.
 * @returns null without a connection
 */
async function postKeepalive(path: string, body: object): Promise<Response | null> {
  try {
    return await fetch(`${location.origin}${path}`, {
      method: 'POST',
      credentials: 'include',
      keepalive: true,
      headers: { 'Content-Type': 'application/json', ...accountHeader.getHeaders() },
      body: JSON.stringify(body),
    });
  } catch {
    return null;
  }
}

/** Whether a later request may succeed: the rate limit was exceeded, or the server failed. */
const isTemporary = ({ status }: Response): boolean => status === 429 || status >= 500;

/**
 * Saves where the user is in a file.
 * @returns false if the server rejected the position and will reject those that follow
 */
export async function savePosition(fileId: number, position: Schema<'SavePositionDto'>): Promise<boolean> {
  const response = await postKeepalive(`/api/files/${fileId}/position`, position);
  return response === null || response.ok || isTemporary(response);
}

/** `lost`: the times can be sent again; `ended`: nothing is recorded for this reader of the file. */
export type ReportResult = 'recorded' | 'lost' | 'ended';

/** Reports for how long pages were read. */
export async function reportReading(fileId: number, batch: Schema<'ReadingBatchDto'>): Promise<ReportResult> {
  const response = await postKeepalive(`/api/files/${fileId}/pages/reading`, batch);
  // The hour for which a document is unlocked is over; its reader will be asked for the password.
  if (response === null || response.status === 423 || isTemporary(response)) return 'lost';
  if (!response.ok) return 'ended';
  const { isRecorded } = (await response.json()) as Schema<'ReadingReceiptDto'>;
  return isRecorded ? 'recorded' : 'ended';
}
