import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import { canAskFor, type UsernameCheck } from '../validation';

const afterTyping = 500;

/**
 * Asks whether a username is free, 500 ms after typing stops and from 3 characters on. A check that fails counts as
 * unavailable. `own` is never asked for: it is the person's already.
 */
export function useUsernameCheck(username: string, own?: string | null): UsernameCheck {
  const { t } = useTranslation('auth');
  const settled = useDebounced(username, afterTyping);
  const wanted = canAskFor(username) && username.toLowerCase() !== own?.toLowerCase();
  const { data, isError } = $api.useQuery(
    'get',
    '/api/check-username/{username}',
    { params: { path: { username: settled } } },
    { enabled: wanted && settled === username, staleTime: 0, gcTime: 0 },
  );
  if (!wanted) return { state: 'idle' };
  if (settled !== username) return { state: 'checking' };
  if (isError) return { state: 'unavailable', message: t('errors.usernameCheck') };
  if (!data) return { state: 'checking' };
  return { state: data.available ? 'available' : 'unavailable', message: data.message };
}
