import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error';
import { $api, api, type Schema } from '../api/client';
import { invalidate } from '../api/invalidate';

export type Factors = Schema<'FactorsDto'>;
export type NewAuthenticator = Schema<'NewAuthenticatorDto'>;

/** The second factors and passkeys of the user. */
export function useFactors() {
  return $api.useQuery('get', '/api/user/factors');
}

/**
 * Returns the data of a response that always has a body.
 * @throws ApiError `UNREADABLE` if it has none
 */
export function requireData<T>(data: T | undefined): T {
  if (data === undefined) throw new ApiError(200, 'UNREADABLE', '');
  return data;
}

/** Invalidates the factors and the user, which says whether a second factor is still required. */
export function useInvalidateFactors() {
  const queryClient = useQueryClient();
  return () => invalidate(queryClient, 'POST /api/user/passkeys');
}

/** Starts, confirms and removes the authenticator app, and creates recovery codes. Secrets are never cached. */
export function useAuthenticatorMutations() {
  const onSettled = useInvalidateFactors();
  const startSetup = useMutation({
    mutationFn: async () => requireData((await api.POST('/api/user/factors')).data),
    gcTime: 0,
  });
  const verify = useMutation({
    mutationFn: async (code: string) =>
      requireData((await api.POST('/api/user/factors/verify', { body: { code } })).data).recoveryCodes,
    gcTime: 0,
  });
  const renewCodes = useMutation({
    mutationFn: async () => requireData((await api.POST('/api/user/factors/recovery-codes')).data).recoveryCodes,
    gcTime: 0,
    onSettled,
  });
  const remove = useMutation({ mutationFn: () => api.DELETE('/api/user/factors'), onSettled });
  return { startSetup, verify, renewCodes, remove };
}
