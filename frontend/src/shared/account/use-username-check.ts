import { useTranslation } from 'react-i18next';
import { $api } from '../api/client';
import { useDebounced } from '../hooks/use-debounced';

/** What is known about whether a username is free. */
export interface UsernameCheck {
  state: 'idle' | 'checking' | 'available' | 'unavailable';
  message?: string;
}

const afterTyping = 500;

/**
 * Asks whether a username is free, 500 ms after typing stops. A check that fails counts as unavailable.
 * @param askable whether this name is worth asking for: long enough, of allowed characters, and not the person's already
 */
export function useUsernameCheck(username: string, askable: boolean): UsernameCheck {
  const { t } = useTranslation('account');
  const settled = useDebounced(username, afterTyping);
  const { data, isError } = $api.useQuery(
    'get',
    '/api/check-username/{username}',
    { params: { path: { username: settled } } },
    { enabled: askable && settled === username, staleTime: 0, gcTime: 0 },
  );
  if (!askable) return { state: 'idle' };
  if (settled !== username) return { state: 'checking' };
  if (isError) return { state: 'unavailable', message: t('username.failed') };
  if (!data) return { state: 'checking' };
  return { state: data.available ? 'available' : 'unavailable', message: data.message };
}
