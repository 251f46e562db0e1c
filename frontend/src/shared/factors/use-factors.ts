import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error';
import { $api, api, type Schema } from '../api/client';
import { invalidate } from '../api/invalidate';

export type Factors = Schema<'FactorsDto'>;
export type NewAuthenticator = Schema<'NewAuthenticatorDto'>;

/** What the person has beside their password. */
export function useFactors() {
  return $api.useQuery('get', '/api/user/factors');
}

/** The answer's content, which these calls always have. */
export function requireData<T>(data: T | undefined): T {
  if (data === undefined) throw new ApiError(200, 'UNREADABLE', '');
  return data;
}

/** What has to be asked for again after a change of a factor: the list, and whether the person still needs one. */
export function useInvalidateFactors() {
  const queryClient = useQueryClient();
  return () => invalidate(queryClient, 'POST /api/user/passkeys');
}

/** Begins, confirms and removes the authenticator app, and makes new recovery codes. Secrets are kept by nobody here. */
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
