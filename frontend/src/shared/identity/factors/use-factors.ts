import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error';
import { $api, api, type Schema } from '../../api/client';
import { touch } from '../../api/touch';

export type Factors = Schema<'FactorsDto'>;
export type NewAuthenticator = Schema<'NewAuthenticatorDto'>;

/** What the person has beside their password. */
export function useFactors() {
  return $api.useQuery('get', '/api/user/factors');
}

/** The answer's content, which these calls always have. */
export function contentOf<T>(data: T | undefined): T {
  if (data === undefined) throw new ApiError(200, 'UNREADABLE', '');
  return data;
}

/** What has to be asked for again after a change of a factor: the list, and whether the person still needs one. */
export function useRefreshFactors() {
  const queries = useQueryClient();
  return () => touch(queries, 'POST /api/user/passkeys');
}

/** Begins, confirms and removes the authenticator app, and makes new recovery codes. Secrets are kept by nobody here. */
export function useAuthenticatorChanges() {
  const onSettled = useRefreshFactors();
  const begin = useMutation({
    mutationFn: async () => contentOf((await api.POST('/api/user/factors')).data),
    gcTime: 0,
  });
  const verify = useMutation({
    mutationFn: async (code: string) =>
      contentOf((await api.POST('/api/user/factors/verify', { body: { code } })).data).recoveryCodes,
    gcTime: 0,
  });
  const renewCodes = useMutation({
    mutationFn: async () => contentOf((await api.POST('/api/user/factors/recovery-codes')).data).recoveryCodes,
    gcTime: 0,
    onSettled,
  });
  const remove = useMutation({ mutationFn: () => api.DELETE('/api/user/factors'), onSettled });
  return { begin, verify, renewCodes, remove };
}
