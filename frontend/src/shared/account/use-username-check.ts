import { useTranslation } from 'react-i18next';
import { $api } from '../api/client';
import { useDebounced } from '../hooks/use-debounced';

/** What is known about whether a username is free. */
export interface UsernameCheck {
  state: 'idle' | 'checking' | 'available' | 'unavailable';
  message?: string;
}

const TYPING_DEBOUNCE = 500;

/**
 * Asks whether a username is free, 500 ms after typing stops. A check that fails counts as unavailable.
 * @param askable whether this name is worth asking for: long enough, of allowed characters, and not the person's already
 */
export function useUsernameCheck(username: string, enabled: boolean): UsernameCheck {
  const { t } = useTranslation('account');
  const debouncedUsername = useDebounced(username, TYPING_DEBOUNCE);
  const { data, isError } = $api.useQuery(
    'get',
    '/api/check-username/{username}',
    { params: { path: { username: debouncedUsername } } },
    { enabled: enabled && debouncedUsername === username, staleTime: 0, gcTime: 0 },
  );
  if (!enabled) return { state: 'idle' };
  if (debouncedUsername !== username) return { state: 'checking' };
  if (isError) return { state: 'unavailable', message: t('username.failed') };
  if (!data) return { state: 'checking' };
  return { state: data.available ? 'available' : 'unavailable', message: data.message };
}
