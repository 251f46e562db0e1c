import { accountHeader } from '../../../shared/account/account-header';
import type { Schema } from '../../../shared/api/client';

/**
 * Saves where the user is in a file. The request outlives the page. `sendBeacon` would too, but can't send the header
 * that prevents saving the position for another account of the same browser.
 * @returns false if the server rejected the position and will reject those that follow
 */
export async function savePosition(fileId: number, position: Schema<'SavePositionDto'>): Promise<boolean> {
  try {
    const { status } = await fetch(`${location.origin}/api/files/${fileId}/position`, {
      method: 'POST',
      credentials: 'include',
      keepalive: true,
      headers: { 'Content-Type': 'application/json', ...accountHeader.getHeaders() },
      body: JSON.stringify(position),
    });
    return status < 400 || status === 429 || status >= 500;
  } catch {
    // Without a connection, reading goes on; the next position is sent again.
    return true;
  }
}
