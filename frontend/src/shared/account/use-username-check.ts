import { useTranslation } from 'react-i18next';
import { $api } from '../api/client';
import { useDebounced } from '../hooks/use-debounced';

export interface UsernameCheck {
  state: 'idle' | 'checking' | 'available' | 'unavailable';
  message?: string;
}

const TYPING_DEBOUNCE = 500;

/**
 * Checks whether a username is free, 500 ms after typing stops. A failed check counts as unavailable.
 * @param enabled whether the name is worth checking: long enough, made of allowed characters, and not already the
 * user's
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
